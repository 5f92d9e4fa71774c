"""What every sandbox does, asked of the Python library: of the daemon, and of a server over TCP."""

from __future__ import annotations

import io
import tarfile
import threading
import time
from pathlib import Path
from typing import IO, Iterator

import pytest

import husk
from husk import CommandEnd, Husk, Output, Sandbox
from support import until


@pytest.fixture
def sandbox(client: Husk) -> Iterator[Sandbox]:
    with client.create_sandbox() as made:
        yield made


# Commands


def test_streams_stay_apart(sandbox: Sandbox) -> None:
    result = sandbox.exec(["sh", "-c", "echo out; echo err >&2"])
    assert (result.stdout, result.stderr, result.exit_code) == ("out\n", "err\n", 0)
    assert result.ok and result.end.reason == "exited"


def test_words_arrive_as_they_were_given(sandbox: Sandbox) -> None:
    words = ["a b", "", "'\"$HOME`id`", "line\nbreak", "-n", "ü🦀"]
    result = sandbox.exec(["/usr/bin/printf", "<%s>", *words])
    assert result.stdout == "".join(f"<{word}>" for word in words)


def test_a_command_that_is_one_text_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(TypeError, match="no shell"):
        sandbox.exec("rm -rf /tmp/x")


def test_bytes_that_are_no_text_arrive_as_they_are(sandbox: Sandbox) -> None:
    data = bytes(range(256)) * 1000
    assert sandbox.exec(["cat"], input=data).stdout_bytes == data


def test_a_failure_is_a_result(sandbox: Sandbox) -> None:
    result = sandbox.exec(["sh", "-c", "exit 7"])
    assert result.exit_code == 7 and not result.ok
    killed = sandbox.exec(["sh", "-c", "kill -TERM $$"])
    assert (killed.exit_code, killed.end.signal, killed.end.reason) == (143, 15, "signalled")


def test_a_missing_program_is_not_found(sandbox: Sandbox) -> None:
    with pytest.raises(husk.NotFoundInside):
        sandbox.exec(["no-such-program"])


def test_variables_and_directory_are_those_asked_for(sandbox: Sandbox) -> None:
    result = sandbox.exec(["sh", "-c", 'echo "$A"; pwd'], env={"A": "x=y z"}, cwd="/")
    assert result.stdout == "x=y z\n/\n"


def test_a_command_without_input_reads_nothing(sandbox: Sandbox) -> None:
    assert sandbox.exec(["cat"]).stdout == ""


def test_input_nobody_reads_is_no_failure(sandbox: Sandbox) -> None:
    assert sandbox.exec(["true"], input=b"x" * 3_000_000).ok


def test_large_output_arrives_whole(sandbox: Sandbox) -> None:
    pieces = sandbox.stream(["head", "-c", "20000000", "/dev/zero"])
    assert sum(len(p.data) for p in pieces if isinstance(p, Output)) == 20_000_000


def test_output_comes_while_the_command_runs(sandbox: Sandbox) -> None:
    with sandbox.begin(["sh", "-c", "echo first; read line; echo got $line"], stdin=True) as line:
        events = iter(line)
        assert next(events) == Output("stdout", b"first\n")
        line.write("word\n")
        assert next(events) == Output("stdout", b"got word\n")
        end = next(events)
        assert isinstance(end, CommandEnd) and end.ok


def test_input_for_a_command_that_has_ended_is_a_broken_pipe(sandbox: Sandbox) -> None:
    with sandbox.begin(["true"], stdin=True) as line:
        line.collect()
        with pytest.raises(BrokenPipeError):
            line.write(b"late")


def test_a_signal_reaches_the_command(sandbox: Sandbox) -> None:
    script = "trap 'echo caught; exit 3' INT; echo ready; while :; do sleep 0.05; done"
    with sandbox.begin(["sh", "-c", script]) as line:
        next(iter(line))
        line.signal("INT")
        result = line.collect()
    assert (result.stdout, result.exit_code) == ("caught\n", 3)


def test_a_late_command_is_ended_with_all_it_started(sandbox: Sandbox) -> None:
    result = sandbox.exec(["sh", "-c", "echo began; sleep 2001 & sleep 2002"], timeout=0.3)
    assert (result.stdout, result.exit_code, result.end.reason) == ("began\n", 124, "timeout")
    until(lambda: not _running(sandbox, "sleep 200"), "it goes on")


def test_whoever_leaves_the_loop_ends_the_command(sandbox: Sandbox) -> None:
    for _ in sandbox.stream(["sh", "-c", "echo x; sleep 2003 & sleep 2004"]):
        break
    until(lambda: not _running(sandbox, "sleep 200"), "it goes on")


def _running(sandbox: Sandbox, what: str) -> bool:
    script = "for f in /proc/[0-9]*/cmdline; do tr '\\0' ' ' < $f 2>/dev/null; echo; done"
    lines = sandbox.exec(["sh", "-c", script]).stdout.splitlines()
    return any(line.startswith(what) for line in lines)


def test_a_terminal_is_one_and_knows_its_size(sandbox: Sandbox) -> None:
    with sandbox.begin(["sh", "-c", "test -t 0 && stty size; read x; stty size"], terminal=(31, 97)) as line:
        events = iter(line)
        first = next(events)
        assert isinstance(first, Output) and first.data.strip() == b"31 97"
        line.resize(10, 20)
        line.write("\n")
        rest = b"".join(event.data for event in events if isinstance(event, Output))
    assert rest.split()[-2:] == [b"10", b"20"]


def test_a_detached_command_goes_on_and_is_found_again(sandbox: Sandbox) -> None:
    command = sandbox.detach(["sh", "-c", "echo one; sleep 0.3; echo two >&2; exit 5"])
    assert command.detached and command.command[0] == "sh"
    with sandbox.attach(command.id) as line:
        result = line.collect()
    assert (result.stdout, result.stderr, result.exit_code) == ("one\n", "two\n", 5)
    assert command.id in [known.id for known in sandbox.commands()]
    assert sandbox.logs(command.id).stdout == "one\n"


def test_a_detached_command_can_be_killed(sandbox: Sandbox) -> None:
    command = sandbox.detach(["sleep", "2005"])
    sandbox.kill(command.id, 9)
    with sandbox.attach(command.id) as line:
        assert line.collect().end.signal == 9
    with pytest.raises(husk.NotFoundInside):
        sandbox.kill("nothing")


def test_many_commands_run_at_once(sandbox: Sandbox) -> None:
    said: list[str] = []
    threads = [
        threading.Thread(target=lambda i=i: said.append(sandbox.exec(["echo", f"w{i}"]).stdout))
        for i in range(16)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(said) == sorted(f"w{i}\n" for i in range(16))


# Files


def test_files_are_written_read_listed_moved_and_removed(sandbox: Sandbox) -> None:
    files = sandbox.files
    files.mkdir("/workspace/a")
    files.write("/workspace/a/ü +&b.txt", "text\n", mode=0o640)
    assert files.read_text("/workspace/a/ü +&b.txt") == "text\n"
    (entry,) = files.list("/workspace/a")
    assert (entry.name, entry.type, entry.size, entry.mode) == ("ü +&b.txt", "file", 5, 0o640)
    files.move("/workspace/a/ü +&b.txt", "/workspace/b")
    assert files.stat("/workspace/b").name == "b"
    files.remove("/workspace/b")
    files.remove("/workspace/a", recursive=True)
    with pytest.raises(husk.NotFoundInside):
        files.list("/workspace/a")
    with pytest.raises(husk.NotFoundInside):
        files.read("/workspace/b")


def test_relative_paths_are_refused(sandbox: Sandbox) -> None:
    with pytest.raises(husk.InvalidRequest):
        sandbox.files.stat("here")
    with pytest.raises(husk.InvalidRequest):
        sandbox.files.write("here", io.BytesIO(b"x" * 10_000_000))


class Zeros(io.RawIOBase):
    """So many zeros, none of which is kept; or so many, and then a failure."""

    def __init__(self, count: int, fails: bool = False) -> None:
        self.left = count
        self.fails = fails

    def read(self, size: int = -1) -> bytes:
        if not self.left and self.fails:
            raise OSError("on purpose")
        count = min(self.left, size)
        self.left -= count
        return bytes(count)


def test_large_files_pass_piece_by_piece(sandbox: Sandbox) -> None:
    size = 200 << 20
    zeros: IO[bytes] = Zeros(size)  # type: ignore[assignment]
    sandbox.files.write("/workspace/large", zeros)
    assert sandbox.files.stat("/workspace/large").size == size
    with sandbox.files.open("/workspace/large") as contents:
        assert sum(len(piece) for piece in iter(lambda: contents.read(1 << 16), b"")) == size


def test_a_write_that_breaks_off_leaves_the_old_file(sandbox: Sandbox) -> None:
    sandbox.files.write("/workspace/kept", b"old")
    broken: IO[bytes] = Zeros(1_000_000, fails=True)  # type: ignore[assignment]
    with pytest.raises(OSError, match="on purpose"):
        sandbox.files.write("/workspace/kept", broken)
    time.sleep(0.2)
    assert sandbox.files.read("/workspace/kept") == b"old"


def test_folders_pass_as_tar(sandbox: Sandbox) -> None:
    sandbox.exec(["sh", "-c", "mkdir -p t/in; echo 1 > t/in/f"])
    tar = io.BytesIO()
    sandbox.files.pack("/workspace/t", tar)
    names = tarfile.open(fileobj=io.BytesIO(tar.getvalue())).getnames()
    assert any(name.endswith("in/f") for name in names)
    sandbox.files.mkdir("/workspace/u")
    sandbox.files.unpack("/workspace/u", tar.getvalue())
    assert sandbox.exec(["cat", "u/in/f"]).stdout == "1\n"


def test_folders_are_copied_in_and_out(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "source" / "deep").mkdir(parents=True)
    (tmp_path / "source" / "deep" / "ü b").write_text("text")
    (tmp_path / "source" / "deep" / "ü b").chmod(0o750)
    sandbox.copy_in(tmp_path / "source", "/workspace/in")
    assert sandbox.exec(["cat", "in/deep/ü b"]).stdout == "text"
    sandbox.copy_out("/workspace/in", tmp_path / "back")
    assert (tmp_path / "back" / "deep" / "ü b").read_text() == "text"
    assert (tmp_path / "back" / "deep" / "ü b").stat().st_mode & 0o777 == 0o750


def test_a_link_inside_is_not_followed_out(sandbox: Sandbox, tmp_path: Path) -> None:
    sandbox.exec(["sh", "-c", "mkdir d; ln -s /etc/passwd d/link"])
    with pytest.raises(husk.InvalidRequest):
        sandbox.copy_out("/workspace/d", tmp_path / "out")
    assert not (tmp_path / "out" / "link").exists()


# The rest


def test_a_port_inside_is_reached(sandbox: Sandbox) -> None:
    server = """if True:
        import socket
        s = socket.create_server(('127.0.0.1', 0)); print(s.getsockname()[1], flush=True)
        c, _ = s.accept()
        data = b''
        while piece := c.recv(1 << 16): data += piece
        c.sendall(data.upper()); c.close()"""
    with sandbox.begin(["/usr/bin/python3", "-c", server]) as line:
        first = next(iter(line))
        assert isinstance(first, Output)
        with sandbox.connect(int(first.data)) as port:
            port.sendall(b"hello")
            port.end()
            assert b"".join(iter(port.recv, b"")) == b"HELLO"


def test_a_port_nobody_listens_on_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(husk.HuskError) as refused:
        sandbox.connect(9)
    assert refused.value.code == "address_unavailable"


def test_use_is_told(sandbox: Sandbox) -> None:
    with sandbox.begin(["sleep", "2006"]):
        assert sandbox.usage()["processes"] > 0


def test_a_stopped_sandbox_says_so_and_keeps_its_files(sandbox: Sandbox) -> None:
    sandbox.files.write("/workspace/f", b"1")
    with sandbox.begin(["sh", "-c", "echo up; sleep 2007"]) as line:
        next(iter(line))
        assert not sandbox.stop().running
        assert not line.collect().ok
    with pytest.raises(husk.SandboxNotRunning):
        sandbox.exec(["true"])
    assert sandbox.start().running
    assert sandbox.files.read("/workspace/f") == b"1"


def test_what_happens_is_told_as_it_happens(sandbox: Sandbox) -> None:
    assert "created" in [event.type for event in sandbox.events()]
    followed = sandbox.events(follow=True)
    seen = [next(followed).type for _ in sandbox.events()]
    sandbox.deny("example.org")
    assert next(followed).type == "policy_changed"
    assert "policy_changed" not in seen
    sandbox.remove()
    until(lambda: next(followed, None) is None, "events go on after the end")
