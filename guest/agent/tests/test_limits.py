"""Limits, and an agent that can make no more processes."""

import os

import pytest
from client import Problem, collect
from conftest import walled_kinds
from places import eventually

BOMB = "import os, time\nwhile True:\n try:\n  if os.fork() == 0: time.sleep(1000)\n except OSError: time.sleep(0.02)"


def test_limits_are_those_that_were_set(make):
    place = make(launch=["--rlimit", "nofile=99", "--rlimit", "core=0", "--rlimit", "fsize=4096", "--cpus", "0"])
    ended = place.run("sh", "-c", "ulimit -n; ulimit -Hn; ulimit -c; ulimit -f; nproc")
    assert ended.out.split() == [b"99", b"99", b"0", b"8", b"1"]


@pytest.mark.parametrize("setting", ["nofile", "nofile=", "nofile=x", "nofile=-1", "sofas=3", "=3"])
def test_limits_that_make_no_sense_are_refused(make, setting):
    place = make(launch=["--rlimit", setting])
    assert place.process.wait(20) == 125 and "not a limit" in place.log()


@pytest.mark.parametrize("option", [["--cgroup", "/nowhere"], ["--cpus", "0-"], ["--cpus", "99999"], ["--sofa", "1"], ["--rlimit"]])
def test_what_launch_cannot_do_ends_it_with_125(make, option):
    assert make(launch=option).process.wait(20) == 125


@pytest.mark.parametrize("kind", walled_kinds())
def test_a_fork_bomb_leaves_the_agent_answering(make, kind):
    place = make(kind, launch=["--rlimit", "nproc=40"])
    bomb = place.start("python3", "-c", BOMB, id="bomb")
    bomb.answer()

    def refused():
        try:
            place.run("true")
        except Problem as problem:
            return problem.code
        return None

    if kind == "identity":
        assert eventually(refused) == "process_limit"
    assert place.ask("hello")["pid"] == "1"
    assert int(eventually(lambda: (n := int(place.ask("usage")["processes"])) > 20 and n)) <= 41
    place.ask("kill", id="bomb", signal=9)
    assert collect(bomb).reason == "killed"
    eventually(lambda: place.ask("usage")["processes"] == "1")
    assert place.run("echo", "usable").out == b"usable\n"


@pytest.fixture(params=walled_kinds())
def measured(request, make):
    return make(request.param, serve=["--workspace", "/workspace", "--workspace-limit", "5000000"])


def test_a_workspace_that_grows_too_large_ends_its_commands(measured):
    ended = measured.shell("echo start; while :; do head -c 1000000 /dev/zero >>big; sleep 0.01; done")
    assert ended.reason == "disk_limit" and ended.out == b"start\n"
    assert measured.shell("rm big; echo usable").out == b"usable\n"
    eventually(lambda: int(measured.ask("usage")["workspace_bytes"]) < 1_000_000)


@pytest.mark.parametrize(
    "trick",
    [
        "mkdir d; head -c 9000000 /dev/zero >d/x; chmod 0 d; sleep 1000",
        "exec 7>x; rm x; head -c 9000000 /dev/zero >&7; sleep 1000",
        # hidden from other processes of its user, or so it is told
        "exec python3 -c 'import ctypes, os, time; ctypes.CDLL(None).prctl(4, 0, 0, 0, 0); f = os.open(\"x\", 66); "
        "os.unlink(\"x\"); os.write(f, bytes(9000000)); time.sleep(1000)'",
        "(setsid sh -c 'head -c 9000000 /dev/zero >x; sleep 1000' &) ; sleep 1000",
        # held by a process whose first thread has ended
        "exec python3 -c 'import ctypes, os, threading, time\nf = os.open(\"x\", 66); os.unlink(\"x\")\n"
        "def fill(): time.sleep(1); os.write(f, bytes(9000000)); time.sleep(1000)\n"
        "threading.Thread(target=fill).start(); ctypes.CDLL(None).syscall(60 if os.uname().machine == \"x86_64\" else 93, 0)'",
        # held by nobody: on their way in a socket
        "exec python3 -c 'import os, socket, time\na, b = socket.socketpair(); time.sleep(1)\n"
        "for _ in range(5):\n f = os.open(\"x\", 66); os.unlink(\"x\"); os.write(f, bytes(3000000))\n"
        " socket.send_fds(a, [b\"x\"], [f]); os.close(f); time.sleep(0.5)\ntime.sleep(1000)'",
        # held by who cannot be looked at, being of a program that nobody may read
        "cp /bin/sh /bin/sleep . && chmod 111 sh sleep && exec ./sh -c 'exec 7>x; rm x; i=0; while [ $i -lt 400 ]; do "
        "printf %100000s x >&7; i=$((i + 1)); done; exec ./sleep 1000'",
        # held by its memory alone, under a long name
        "exec python3 -c 'import ctypes, os, time; n = 200 * \"x\"; os.makedirs(\"d/\" + n + \"/\" + n + \"/\" + n); "
        "os.chdir(\"d/\" + n + \"/\" + n + \"/\" + n); f = os.open(n, 66); os.truncate(f, 9000000); libc = ctypes.CDLL(None); "
        "libc.mmap.restype = ctypes.c_void_p; m = libc.mmap(None, ctypes.c_size_t(9000000), 3, 1, f, ctypes.c_long(0)); "
        "os.unlink(n); os.close(f); ctypes.memset(m, 1, 9000000); time.sleep(1000)'",
    ],
)
def test_hiding_what_fills_the_workspace_does_not_help(measured, trick):
    assert measured.shell(trick).reason == "disk_limit"
    measured.shell("chmod -f 700 d; rm -rf d x sh sleep")
    assert measured.run("echo", "usable").out == b"usable\n"


def test_in_a_workspace_that_is_full_files_can_only_become_fewer(measured):
    assert measured.shell("head -c 9000000 /dev/zero >big; sleep 1000").reason == "disk_limit"
    before = measured.shell("stat -c %s big").out
    for more in ("echo more >>big", "echo new >new; test -s new", "cp big copy", "dd if=/dev/zero of=big bs=1M count=1 conv=notrunc"):
        ended = measured.shell(more)
        assert ended.reason == "disk_limit", more
    assert measured.shell("stat -c %s big").out == before
    with pytest.raises(Problem) as problem:
        measured.write("/workspace/given", b"x")
    assert problem.value.code == "disk_full"
    measured.shell("rm -f big new copy")
    eventually(lambda: int(measured.ask("usage")["workspace_bytes"]) < 1_000_000)
    assert measured.shell("echo again >new; cat new").out == b"again\n"


MAP = "import mmap, os; f = os.open('hole', 2); m = mmap.mmap(f, 0); m[::4096] = bytes(len(m[::4096]))"
LATER = "import ctypes, os; libc = ctypes.CDLL(None); libc.mmap.restype = ctypes.c_void_p; f = os.open('hole', 2); "
LATER += "at = libc.mmap(None, ctypes.c_size_t(1 << 20), 1, 1, f, ctypes.c_long(0)); "
LATER += "libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(1 << 20), 3); ctypes.memset(at, 1, 1 << 20)"


@pytest.mark.parametrize(
    "trick",
    [
        ("python3", "-c", MAP),
        ("python3", "-c", LATER),
        ("mkdir", "-p", "a/b/c"),
        ("ln", "-s", "x" * 1000, "link"),
        ("ln", "big", "again"),
        ("mkfifo", "pipe"),
        ("python3", "-c", "import os; os.setxattr('big', 'user.x', bytes(3000))"),
    ],
)
def test_a_full_workspace_grows_neither_by_memory_nor_by_names(measured, trick):
    assert measured.shell("truncate -s 64M hole; head -c 9000000 /dev/zero >big; sleep 1000").reason == "disk_limit"
    assert measured.run(*trick).reason == "disk_limit"
    assert measured.shell("ls; stat -c %b hole").out == b"big\nhole\n0\n"
    assert measured.shell("rm big 2>/dev/null; echo gone").out == b"gone\n"


@pytest.mark.parametrize("mode", [0, 1, 2, 8 | 1, 16, 17, 32, 64, 65])
def test_space_cannot_be_taken_without_being_written(measured, mode):
    """Faster than anybody could look."""
    take = "import ctypes, os; f = os.open('x', 66); libc = ctypes.CDLL(None, use_errno=True); "
    take += f"print(libc.fallocate(f, {mode}, ctypes.c_long(0), ctypes.c_long(1 << 30)), os.strerror(ctypes.get_errno()))"
    assert measured.run("python3", "-c", take).out == b"-1 Operation not supported\n"
    assert measured.shell("stat -c %b x").out.split() in ([b"0"], [b"8"])


def test_space_can_be_given_back_and_asked_for_by_writing(measured):
    script = "import ctypes, os; f = os.open('x', 66); libc = ctypes.CDLL(None); os.posix_fallocate(f, 0, 2000000); "
    script += "print(os.fstat(f).st_size, libc.fallocate(f, 3, ctypes.c_long(0), ctypes.c_long(1 << 20)), os.fstat(f).st_blocks * 512 < 1500000)"
    assert measured.run("python3", "-c", script).out == b"2000000 0 True\n"


LIMITED = {
    # each of a user, who may be the daemon's
    "timers": "libc.timer_create(1, None, ctypes.byref(ctypes.c_void_p()))",
    "queues": "libc.mq_open(b'/%d' % made, 0o102, 0o600, None)",
    # each of the machine
    "terminals": "libc.open(b'/dev/ptmx', 2)",
    "inotify": "libc.inotify_init1(0)",
    "AIO": "libc.syscall(206, 1, ctypes.byref(ctypes.c_ulong()))",
}


@pytest.mark.parametrize("kind", walled_kinds())
@pytest.mark.parametrize(
    "what, most", [("timers", 1024), ("queues", 10), ("terminals", 128), ("inotify", 64), ("AIO", 0)]
)
def test_what_others_need_too_is_there_in_small_numbers(make, kind, what, most):
    place = make(kind, launch=["--rlimit", "sigpending=1024", "--rlimit", "msgqueue=204800"])
    take = "import ctypes; libc = ctypes.CDLL(None); made = 0\n"
    take += f"while made < 5000 and {LIMITED[what]} >= 0: made += 1\nprint(made)"
    assert int(place.run("python3", "-c", take).out) <= most


def test_an_empty_file_in_memory_is_counted_too(walled):
    ended = walled.run("python3", "-c", "import os; print(os.statvfs('/dev/shm').f_files, os.statvfs('/tmp').f_files)")
    assert ended.out == b"16384 262144\n"


@pytest.mark.parametrize("take", ["mmap(None, 1 << 21, 3, 0x44022, -1, 0) + 1", "memfd_create(b'x', 4) + 1", "shmget(0, 1 << 21, 0o5600) + 1"])
def test_huge_pages_that_were_set_aside_are_for_others(walled, take):
    """Without reserving them, which is refused where there are none anyway."""
    script = f"import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); print(libc.{take}, os.strerror(ctypes.get_errno()))"
    assert walled.run("python3", "-c", script).out == b"0 Cannot allocate memory\n"


def test_links_are_counted_once_and_holes_not_at_all(measured):
    measured.shell("head -c 2000000 /dev/zero >a; for i in 1 2 3 4 5 6; do ln a b$i; done; ln -s /usr c; truncate -s 1G hole")
    used = eventually(lambda: (n := int(measured.ask("usage").get("workspace_bytes", 0))) > 1_900_000 and n)
    assert used < 2_200_000
    assert measured.shell("sleep 0.6; echo alive").out == b"alive\n"


def test_a_temporary_agent_leaves_when_nobody_comes(make):
    assert make(serve=["--temporary", "1"]).process.wait(20) == 0


@pytest.mark.parametrize("kind", ["host", *walled_kinds()])
def test_a_temporary_agent_leaves_with_its_final_operation(make, kind):
    place = make(kind, serve=["--temporary", "30"])
    assert place.shell("sleep 1000 & echo x", final=1).out == b"x\n"
    assert place.process.wait(20) == 0


def test_a_temporary_agent_leaves_when_its_final_client_is_lost(make):
    place = make(serve=["--temporary", "30"])
    connection = place.start("sleep", "1000", final=1)
    connection.answer()
    connection.close()
    assert place.process.wait(20) == 0


def test_a_final_command_that_cannot_start_ends_it_too(make):
    place = make(serve=["--temporary", "30"])
    with pytest.raises(Problem):
        place.run("no-such-program", final=1)
    assert place.process.wait(20) == 0


def test_a_client_may_come_before_the_agent_is_up(make):
    for _ in range(20):
        assert make().ask("hello")["version"] == "1"


def test_sigterm_from_outside_ends_everything(make):
    place = make()
    place.open("run", arg=["sleep", "1000"], detach=1).answer()
    place.process.terminate()
    assert place.process.wait(20) == 0


def test_killing_the_agent_of_the_host_ends_its_commands(make):
    place = make()
    place.open("run", arg=["sh", "-c", "setsid sleep 1000 & wait"], detach=1).answer()
    from places import descendants_of, is_alive

    below = eventually(lambda: len(found := descendants_of(place.process.pid)) >= 3 and found)
    place.process.kill()
    eventually(lambda: not any(is_alive(pid) for pid in below))


CLONE = 56 if os.uname().machine == "x86_64" else 220


@pytest.mark.parametrize("call", ["436, 90, 90, 2", f"{CLONE}, 0x10900, 0, 0, 0, 0"])
def test_no_thread_has_files_of_its_own(measured, call):
    """Whoever counts deleted files looks at one thread of each process: `close_range` that unshares, `clone` without files."""
    tried = f"import ctypes, os; libc = ctypes.CDLL(None, use_errno=True); print(libc.syscall({call}), os.strerror(ctypes.get_errno()))"
    assert measured.run("python3", "-c", tried).out == b"-1 Operation not permitted\n"
