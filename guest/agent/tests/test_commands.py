"""Commands: streams, input, ends, signals, limits of time, and what they leave behind."""

import os
import signal
import time

import pytest
from client import Problem, collect, decode
from places import descendants_of, eventually


def test_the_streams_stay_apart_and_the_code_is_passed(place):
    ended = place.shell("echo out; echo err >&2; exit 7")
    assert (ended.out, ended.err, ended.code, ended.reason) == (b"out\n", b"err\n", 7, "exited")
    assert int(ended.answer["pid"]) > 1 and ended.end["id"] == ended.answer["id"]


def test_arguments_arrive_as_they_are_and_no_shell_sees_them(place):
    words = ["", "a b", "$HOME", "`id`", ";", "\n", "--", "ä=ö"]
    ended = place.run("printf", "[%s]", *words)
    assert ended.out.decode() == "".join(f"[{word}]" for word in words)


def test_input_arrives_whole_and_ends(place):
    data = os.urandom(3_000_000)
    ended = place.run("cat", input=data)
    assert ended.out == data and ended.code == 0


def test_input_that_nobody_reads_does_not_hang_the_command(place):
    assert place.run("true", input=b"x" * 60000).code == 0


def test_without_input_the_command_reads_nothing(place):
    assert place.run("cat").out == b""


def test_the_environment_is_the_base_and_what_was_added(place):
    ended = place.run("env", env=["A=1", "A=2", "PATH=/bin", "EMPTY="])
    lines = ended.out.decode().splitlines()
    assert sorted(lines) == ["A=2", "EMPTY=", "HOME=/workspace", "PATH=/bin"]


def test_the_directory_is_the_one_asked_for(place):
    assert place.run("pwd", cwd="/usr").out == b"/usr\n"
    assert place.run("pwd").out.decode().strip() == place.inside


@pytest.mark.parametrize(
    "words, cwd, code",
    [
        (["no-such-program"], "/", "not_found"),
        (["/no/such/program"], "/", "not_found"),
        ([""], "/", "not_found"),
        (["/etc"], "/", "not_executable"),
        (["/usr"], "/", "not_executable"),
        (["true"], "/nowhere", "bad_directory"),
        (["true"], "/proc/self/status", "bad_directory"),
    ],
)
def test_what_cannot_be_started_is_told_apart(place, words, cwd, code):
    if words == ["/etc"] and place.kind != "host":
        words = ["/tmp"]
    with pytest.raises(Problem) as problem:
        place.run(*words, cwd=cwd)
    assert problem.value.code == code
    assert int(problem.value.fields["errno"]) > 0


def test_a_script_without_interpreter_is_not_handed_to_a_shell(place):
    place.write(place.inside + "/plain", b"echo hello\n", mode=755)
    place.write(place.inside + "/orphan", b"#!/no/such/interpreter\n", mode=755)
    for name in ("plain", "orphan"):
        with pytest.raises(Problem) as problem:
            place.run(f"{place.inside}/{name}")
        assert problem.value.code == "not_executable"


def test_a_failed_start_is_not_remembered(place):
    with pytest.raises(Problem):
        place.run("no-such-program", id="nothere")
    eventually(lambda: place.command("nothere") is None)


def test_a_death_by_signal_is_told(place):
    ended = place.shell("kill -SEGV $$")
    assert ended.end["signal"] == str(int(signal.SIGSEGV)) and ended.reason == "signalled" and "code" not in ended.end


def test_signals_are_passed_to_the_leader(place):
    with place.start("/bin/sh", "-c", "trap 'echo caught; exit 3' USR1; echo ready; while :; do sleep 0.05; done") as c:
        c.answer()
        assert c.receive() == ("O", b"ready\n")
        c.send("S", {"signal": int(signal.SIGUSR1)})
        ended = collect(c)
    assert ended.out == b"caught\n" and ended.code == 3


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize("way", ["frame", "kill", "kill-leader"])
def test_a_stopped_command_hears_that_it_shall_end(place, number, way):
    with place.start("/bin/sh", "-c", "echo ready; kill -STOP $$; sleep 1000") as c:
        answer = c.answer()
        assert c.receive() == ("O", b"ready\n")
        eventually(lambda: stopped(place, b"/bin/sh"))
        if way == "frame":
            c.send("S", {"signal": int(number)})
        else:
            place.ask("kill", id=answer["id"], signal=int(number), tree=int(way == "kill"))
        ended = collect(c)
    assert ended.end["signal"] == str(int(number))


def stopped(place, program):
    for pid in descendants_of(place.process.pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as words, open(f"/proc/{pid}/stat") as line:
                if words.read().startswith(program) and line.read().rpartition(")")[2].split()[0] == "T":
                    return True
        except OSError:
            pass
    return False


def test_a_signal_to_the_tree_reaches_grandchildren(place):
    with place.start("/bin/sh", "-c", "sleep 1000 & sleep 1000 & echo ready; wait; wait; echo both; exit 4") as c:
        c.answer()
        assert c.receive() == ("O", b"ready\n")
        eventually(lambda: int(place.ask("usage")["processes"]) >= 4)
        c.send("S", {"signal": int(signal.SIGKILL), "tree": 1})
        ended = collect(c)
    assert ended.end["signal"] == "9"


def test_a_timeout_kills_the_whole_tree_and_keeps_what_was_said(place):
    ended = place.shell("echo before; (setsid sleep 1000 &) ; sleep 1000", timeout_ms=300)
    assert ended.out == b"before\n" and ended.reason == "timeout" and ended.end["signal"] == "9"
    eventually(lambda: sleepers(place) == 0)


def sleepers(place):
    found = 0
    for pid in descendants_of(place.process.pid):
        try:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                found += file.read().startswith(b"sleep\x001000")
        except OSError:
            pass
    return found


def test_a_client_that_vanishes_takes_the_whole_tree_with_it(place):
    connection = place.start("/bin/sh", "-c", "(setsid sh -c 'trap \"\" TERM HUP; sleep 1000' &); echo up; sleep 1000", id="gone1")
    connection.answer()
    assert connection.receive() == ("O", b"up\n")
    eventually(lambda: sleepers(place) == 2)
    connection.close()
    eventually(lambda: sleepers(place) == 0)
    assert eventually(lambda: place.command("gone1")["state"] == "ended" and place.command("gone1"))["reason"] == "killed"


def test_what_runs_in_the_background_outlives_its_command(place):
    ended = place.shell("sleep 1000 & echo $!")
    assert ended.code == 0, "the end was told although the background still holds the streams"
    eventually(lambda: sleepers(place) == 1)
    place.run("kill", "-9", ended.out.decode().strip())
    eventually(lambda: sleepers(place) == 0)


def test_background_writers_do_not_die_of_writing(place):
    script = "( for i in 1 2 3 4 5 6 7 8; do sleep 0.05; echo tick; done; echo survived > flag ) &"
    assert place.shell(f"rm -f flag; {script}").code == 0
    eventually(lambda: place.shell("cat flag 2>/dev/null").out == b"survived\n")


def test_a_background_writer_without_end_does_not_hold_the_end_back(place):
    ended = place.shell("yes & echo $! >pid; sleep 0.1; exit 5")
    assert ended.code == 5
    assert place.ask("hello")["version"] == "1"
    place.shell("kill -9 $(cat pid)")


def test_lingering_waits_for_those_who_hold_the_streams(place):
    ended = place.shell("(sleep 0.3; echo late) & exit 6", linger=1)
    assert ended.out == b"late\n" and ended.code == 6


def test_a_slow_client_holds_the_command_back(place):
    with place.start("/bin/sh", "-c", "head -c 50000000 /dev/zero; echo done >reached") as c:
        place.shell("rm -f reached")
        c.answer()
        time.sleep(0.3)
        assert place.shell("cat reached 2>/dev/null").out == b"", "50 MB went nowhere, yet the command is through"
        ended = collect(c)
    assert len(ended.out) == 50_000_000


def test_usage_of_one_command_is_told(place):
    ended = place.run("python3", "-c", "x = bytearray(60_000_000); sum(range(3_000_000))")
    assert int(ended.end["max_rss_kb"]) > 50_000 and int(ended.end["user_ms"]) > 0 and int(ended.end["wall_ms"]) > 0


def test_an_id_is_used_once(place):
    place.run("true", id="mine0")
    with pytest.raises(Problem) as problem:
        place.run("true", id="mine0")
    assert problem.value.code == "exists"
    place.ask("forget", id="mine0")
    assert place.run("true", id="mine0").code == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "UPPER"}, {"id": "x" * 33}, {"id": ""}, {"stdin": 2}, {"detach": "yes"}, {"rows": 5}, {"rows": 0, "cols": 5},
        {"timeout_ms": -1}, {"timeout_ms": "1e3"}, {"log_limit": 1 << 40}, {"env": "novalue"}, {"env": "=x"}, {"arg": []},
    ],
)  # fmt: skip
def test_requests_that_make_no_sense_are_refused_before_anything_starts(host, fields):
    with pytest.raises(Problem) as problem:
        host.open("run", **{"arg": ["true"], **fields}).answer()
    assert problem.value.code == "protocol"


def test_five_hundred_commands_leave_nothing_behind(host):
    for _ in range(500):
        assert host.run("true").code == 0
    eventually(lambda: descendants_of(host.process.pid) == [])
    assert len([c for c in host.commands() if c["state"] == "ended"]) <= 64
    assert len(os.listdir(f"/proc/{host.process.pid}/fd")) < 20


def test_commands_side_by_side_do_not_mix(place):
    opened = [place.start("/bin/sh", "-c", f"sleep 0.1; echo {i}; exit {i}") for i in range(20)]
    for i, connection in enumerate(opened):
        with connection:
            ended = collect(connection)
            assert ended.out == f"{i}\n".encode() and ended.code == i


def test_signals_and_descriptors_of_the_agent_do_not_reach_commands(place):
    ended = place.shell("grep -E 'SigBlk|SigIgn' /proc/self/status; ls /proc/self/fd")
    assert ended.out.split() == [b"SigBlk:", b"0" * 16, b"SigIgn:", b"0" * 16, b"0", b"1", b"2", b"3"]
