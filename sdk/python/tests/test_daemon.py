"""The daemon is found, started by one of many, and may be killed without anybody noticing."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from pathlib import Path

import pytest

import husk
from husk import Husk
from husk.locations import Locations
from support import alive, daemon_pid, distribution, kill_daemon, processes_of, python, request, until

COUNT_UP = """
import husk, sys
kernel = husk.get_or_create("shared")
result = husk.execute(kernel, "count = globals().get('count', 0) + 1; count")
print(kernel.kernel_id, result.return_value)
"""


def test_twenty_processes_share_one_daemon_and_one_kernel(name: str, tmp_path: Path) -> None:
    request("POST", "/daemon/stop", {"kernels": True})
    programs = [python(COUNT_UP) for _ in range(20)]
    answers = [program.communicate()[0].split() for program in programs]
    assert all(program.returncode == 0 for program in programs), answers
    assert len({kernel_id for kernel_id, _ in answers}) == 1
    assert sorted(int(count) for _, count in answers) == list(range(1, 21))


def test_the_command_line_and_this_library_mean_the_same_daemon(name: str) -> None:
    kernel = husk.get_or_create(name)
    command = [str(distribution() / "bin" / "husk"), "exec", "--name", name, "--", "print(7)"]
    assert '"output": "7\\n"' in subprocess.check_output(command, text=True)
    command = [str(distribution() / "bin" / "husk"), "status", "--name", name]
    assert kernel.kernel_id in subprocess.check_output(command, text=True)


def test_an_execution_outlives_the_daemon_and_runs_once(name: str, tmp_path: Path) -> None:
    kernel = husk.get_or_create(name)
    go, runs = tmp_path / "go", tmp_path / "runs"
    code = f"""
import os, time
open({str(runs)!r}, "a").write("x")
while not os.path.exists({str(go)!r}): time.sleep(0.01)
"done"
"""
    killer = threading.Thread(target=lambda: _kill_while_it_runs(runs, go))
    killer.start()
    result = husk.execute(kernel, code)
    killer.join()
    assert (result.status, result.return_value) == ("success", "'done'")
    assert runs.read_text() == "x"


def _kill_while_it_runs(runs: Path, go: Path) -> None:
    until(runs.exists, "the code did not start")
    with Husk() as own:
        pid = int(own._connections.ask("GET", "/daemon")["pid"])
        os.kill(pid, signal.SIGKILL)
        until(lambda: not alive(pid), "the daemon survived")
        until(lambda: len(own.list_kernels()) == 1, "the kernel was not found again")
    go.touch()


def test_a_stream_goes_on_after_the_daemon_was_killed(name: str, tmp_path: Path) -> None:
    kernel = husk.get_or_create(name)
    go = tmp_path / "go"
    code = f"""
import os, time
print("before", flush=True)
while not os.path.exists({str(go)!r}): time.sleep(0.01)
print("after")
display("shown")
"""
    events = []
    for event in husk.stream(kernel, code):
        if isinstance(event, husk.Stream) and not go.exists():
            kill_daemon()
            go.touch()
        events.append(event)
    assert "".join(e.text for e in events if isinstance(e, husk.Stream)) == "before\nafter\n"
    assert [e.item.text for e in events if isinstance(e, husk.Display)] == ["'shown'"]
    assert isinstance(events[-1], husk.Ended) and events[-1].result.ok


def test_a_daemon_that_is_told_to_stop_does_not_take_the_code_with_it(
    name: str, tmp_path: Path
) -> None:
    kernel = husk.get_or_create(name)
    begun, go = tmp_path / "begun", tmp_path / "go"

    def stop() -> None:
        until(begun.exists, "the code did not start")
        with Husk() as own:
            own._connections.ask("POST", "/daemon/stop", {})
        go.touch()

    stopper = threading.Thread(target=stop)
    stopper.start()
    result = husk.execute(
        kernel,
        f"import os, time\nopen({str(begun)!r}, 'w')\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\n'on'",
    )
    stopper.join()
    assert result.return_value == "'on'"


def test_a_kept_connection_that_went_stale_is_no_matter(name: str) -> None:
    kernel = husk.get_or_create(name)
    husk.execute(kernel, "n = 0")
    for _ in range(2):
        kill_daemon()
        husk.execute(kernel, "n += 1")
    assert husk.execute(kernel, "n").return_value == "2"


def test_threads_share_a_husk(name: str) -> None:
    results: list[str | None] = []
    kernel = husk.get_or_create(name)

    def work(number: int) -> None:
        for i in range(5):
            code = f"{number} * 1000 + {i}"
            assert husk.execute(kernel, code).return_value == str(number * 1000 + i)
        results.append("done")

    threads = [threading.Thread(target=work, args=(n,)) for n in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 12


FORK = """
import husk, os, sys
husk.execute("shared", "x = 1")     # the parent keeps a connection
children = []
for number in range(4):
    pid = os.fork()
    if pid == 0:
        for i in range(20):
            got = husk.execute("shared", f"{number} * 1000 + {i}").return_value
            if got != str(number * 1000 + i):
                os._exit(1)
        os._exit(0)
    children.append(pid)
for i in range(20):
    assert husk.execute("shared", f"'parent' + str({i})").return_value == f"'parent{i}'"
print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in children])
"""


def test_forked_processes_do_not_mix_their_answers(name: str) -> None:
    program = python(FORK)
    output, _ = program.communicate()
    assert output.strip() == "[0, 0, 0, 0]"


INTERRUPTED = """
import husk, sys
kernel = husk.get_or_create("shared")
husk.execute(kernel, "state = 'kept'")
try:
    for event in husk.stream(kernel, "print('on', flush=True)\\nimport time\\ntime.sleep(600)"):
        print(type(event).__name__, flush=True)
except KeyboardInterrupt:
    print(husk.execute(kernel, "state").return_value)
"""


def test_ctrl_c_cancels_the_execution(name: str) -> None:
    program = python(INTERRUPTED)
    assert program.stdout is not None
    while program.stdout.readline().strip() != "Stream":
        assert program.poll() is None
    program.send_signal(signal.SIGINT)
    assert program.communicate()[0].strip() == "'kept'"
    assert program.returncode == 0


def test_the_daemon_outlives_who_started_it(name: str) -> None:
    request("POST", "/daemon/stop", {"kernels": True})
    program = python("import husk; husk.execute('shared', 'x = 1')")
    assert program.wait() == 0, program.communicate()
    program.communicate()
    assert husk.execute("shared", "x").return_value == "1"


def test_a_missing_installation_is_said_clearly(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environ = {"HUSK_HOME": str(tmp_path / "h"), "XDG_RUNTIME_DIR": str(home / "run"), "PATH": "/nowhere"}
    with pytest.raises(husk.DaemonUnavailable, match="set HUSK_DIST"):
        Husk(environ=environ).list_kernels()
    with pytest.raises(husk.DaemonUnavailable, match="bin/husk-daemon` is not a program"):
        Husk(environ={**environ, "HUSK_DIST": str(tmp_path)}).list_kernels()


def test_a_daemon_that_fails_to_start_is_quoted(home: Path, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "husk-daemon"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho broken beyond repair >&2\nexit 9\n")
    program.chmod(0o755)
    environ = {
        "HUSK_HOME": str(tmp_path / "h"),
        "HUSK_RUNTIME_DIR": str(tmp_path / "r"),
        "HUSK_DIST": str(tmp_path),
        "PATH": os.environ["PATH"],
    }
    with pytest.raises(husk.DaemonUnavailable, match="(?s)code 9.*broken beyond repair"):
        Husk(environ=environ).list_kernels()
    assert not processes_of(tmp_path)


def test_the_installation_is_found_by_the_command_on_the_path(home: Path, tmp_path: Path) -> None:
    (tmp_path / "husk").symlink_to(distribution() / "bin" / "husk")
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    del environ["HUSK_DIST"]
    from husk import installation

    assert installation.find(environ) == distribution().resolve()


def test_a_folder_that_others_could_exchange_is_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    environ = {"HUSK_RUNTIME_DIR": str(tmp_path / "link"), "HUSK_HOME": str(tmp_path / "h")}
    with pytest.raises(husk.InvalidRequest, match="symbolic link"):
        Husk(environ={**os.environ, **environ}).list_kernels()


def test_a_folder_that_is_open_to_others_is_closed(tmp_path: Path) -> None:
    runtime = tmp_path / "r"
    runtime.mkdir(mode=0o755)
    locations = Locations.of({"HUSK_RUNTIME_DIR": str(runtime), "HUSK_HOME": str(tmp_path / "h")})
    locations.prepare()
    assert runtime.stat().st_mode & 0o777 == 0o700


def test_a_long_path_gets_a_short_place_for_sockets(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 90)
    locations = Locations.of({"HUSK_RUNTIME_DIR": str(long)}, shared=Path("/short"))
    assert locations.runtime == long
    assert locations.sockets.parent == Path(f"/short/husk-{os.getuid()}")
    assert len(str(locations.socket)) < 100


def test_a_store_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="KERNELBOX_STORE_BACKEND is `redis`"):
        Husk(environ={"KERNELBOX_STORE_BACKEND": "redis"})


def test_this_library_looks_where_the_daemon_is(home: Path) -> None:
    shown = request("GET", "/daemon")
    here = Locations.of(os.environ)
    assert (shown["home"], shown["runtime_dir"]) == (str(here.home), str(here.runtime))
    assert here.socket.is_socket()
    assert daemon_pid() in processes_of(home)


def test_a_socket_without_a_daemon_behind_it_is_taken_over(tmp_path: Path) -> None:
    root = Path(tempfile.mkdtemp(prefix="hs-"))
    environ = {**os.environ, "HUSK_HOME": str(root / "h"), "HUSK_RUNTIME_DIR": str(root / "r")}
    locations = Locations.of(environ)
    locations.prepare()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(locations.socket))
    with Husk(environ=environ) as own:
        assert own.list_kernels() == []
        own._connections.ask("POST", "/daemon/stop", {})
    until(lambda: not processes_of(root), "the daemon is left")
    shutil.rmtree(root)
