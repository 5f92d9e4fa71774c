"""Copies of a kernel that lives in a sandbox, in sandboxes of their own."""

import os
import platform
import subprocess

import pytest

from copies import CopyingParent
from harness import PYTHON, process_exists, wait_until
from walls import AGENT, NAMESPACES, Walls, needed

pytestmark = needed


@pytest.fixture
def parent():
    parent = CopyingParent()
    yield parent
    parent.close()


@pytest.fixture
def build(tmp_path):
    built = []

    def one(sibling=None):
        built.append(Walls(str(tmp_path), sibling))
        return built[-1]

    yield one
    for walls in built:
        walls.close()


@pytest.fixture
def walls(build):
    return build()


@pytest.fixture
def kernel(parent, walls):
    env = {"PATH": "/usr/bin:/bin", "HOME": "/workspace"}
    return parent.spawn(housing=walls.housing(), cwd="/workspace", env=env)


def test_a_fork_lives_in_the_walls_it_was_given(parent, kernel, walls, build):
    kernel.run("x = 'mine'; open('/workspace/file', 'w').write('original')")
    other = build(walls)
    fork = parent.fork(kernel, other.housing())
    assert fork.run("x").value == "'mine'"
    assert fork.run("import os; os.path.exists('/workspace/file')").value == "False"
    for name in NAMESPACES:
        theirs = os.readlink("/proc/%d/ns/%s" % (other.pid, name))
        assert fork.run("os.readlink('/proc/self/ns/%s')" % name).value == repr(theirs)
        assert theirs != os.readlink("/proc/%d/ns/%s" % (walls.pid, name))


def test_a_fork_is_nobody_special(parent, kernel, walls, build):
    fork = parent.fork(kernel, build(walls).housing())
    status = fork.run("print(open('/proc/self/status').read())").stdout
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(lines[name], 16) == 0
    assert lines["NoNewPrivs"] == "1"
    assert lines["Seccomp"] == "2"
    assert lines["Uid"].split() == ["1000"] * 4
    if os.getuid() == 0:
        assert lines["Groups"].split() == []


def test_neither_sees_the_other_nor_the_porters(parent, kernel, walls, build):
    fork = parent.fork(kernel, build(walls).housing())
    names = "import os; sorted(open('/proc/%s/comm' % p).read() for p in os.listdir('/proc') if p.isdigit())"
    assert eval(kernel.run(names).value) == eval(fork.run(names).value) == ["agent\n", "husk-kernel\n"]


def test_a_copy_never_has_the_number_of_its_original(parent, kernel, walls, build):
    numbers = [kernel.run("import os; os.getpid()").value]
    current = kernel
    for _ in range(3):
        current = parent.fork(current, build(walls).housing())
        numbers.append(current.run("os.getpid()").value)
    assert len(set(numbers)) == 4


def test_forty_generations_go_no_deeper(parent, kernel, walls):
    current = kernel
    kernel.run("x = 0")
    for _ in range(40):
        following = parent.fork(current, walls.housing())
        following.run("x += 1")
        current.close()
        parent.kernels.remove(current)
        current = following
    assert current.run("x").value == "40"


def test_a_fork_outlives_the_walls_of_its_original(parent, kernel, walls, build):
    kernel.run("x = 1")
    fork = parent.fork(kernel, build(walls).housing())
    walls.close()
    kernel.exit_event()
    assert fork.run("x").value == "1"


def test_the_family_goes_with_its_last_sandbox(parent, kernel, walls, build):
    other = build(walls)
    fork = parent.fork(kernel, other.housing())
    family = walls.family
    fork.close()
    kernel.close()
    parent.kernels.clear()
    walls.close()
    assert process_exists(family)
    other.close()
    wait_until(lambda: not process_exists(family), "the family is gone")


def test_a_snapshot_is_out_of_reach_of_its_kernel(parent, kernel, walls):
    kernel.run("x = 1")
    snapshot, _ = parent.snapshot(kernel)
    assert kernel.run("import os, signal; os.kill(-1, signal.SIGKILL)").error["ename"] == "ProcessLookupError"
    back = parent.revive(snapshot, housing=walls.housing(), fork=False)
    assert back.run("x").value == "1"
    parent.drop(snapshot)


def test_a_porter_has_no_rights_and_stands_where_there_is_nothing(kernel, walls):
    porter = int(open("/proc/%d/stat" % kernel.pid).read().rpartition(")")[2].split()[1])
    status = {name: value.strip() for name, value in (line.split(":", 1) for line in open("/proc/%d/status" % porter))}
    assert (status["Name"], status["Seccomp"], status["NoNewPrivs"]) == ("husk-porter", "2", "1")
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(status[name], 16) == 0
    for name in (*NAMESPACES, "cgroup"):
        beside = os.readlink("/proc/%d/ns/%s" % (porter, name))
        assert beside == os.readlink("/proc/%d/ns/%s" % (walls.family, name))
        assert beside not in [os.readlink("/proc/%s/ns/%s" % (other, name)) for other in ("self", kernel.pid)]
    assert os.listdir("/proc/%d/root/" % porter) == []
    assert len(os.listdir("/proc/%d/fd" % porter)) == 3


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the calls are tried by their numbers on x86_64")
def test_the_porters_filter_refuses_what_the_kernels_does_but_to_join_a_whole_sandbox():
    code = """
import ctypes, errno, sys
libc = ctypes.CDLL(None, use_errno=True)
rules = sys.stdin.buffer.read()
buffer = ctypes.create_string_buffer(rules, len(rules))
class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
program = Program(len(rules) // 8, ctypes.addressof(buffer))
assert libc.prctl(38, 1, 0, 0, 0) == 0 and libc.prctl(22, 2, ctypes.byref(program), 0, 0) == 0
def tried(*call):
    ctypes.set_errno(0)
    libc.syscall(*call)
    return errno.errorcode[ctypes.get_errno()]
print(*[tried(number, *[ctypes.c_long(-1)] * 6) for number in REFUSED])
print(*[tried(308, -1, flags) for flags in (0, 0x20000, 0x10000000, 0x40000000, 0x7e020000 & ~0x20000, 0x7e020000)])
"""
    # mount, umount2, pivot_root, chroot, unshare, ptrace, bpf, io_uring, clone3, keys, other views of files, AIO
    refused = "(165, 166, 155, 161, 272, 101, 321, 425, 435, 250, 248, 323, 298, 304, 310, 311, 312, 428, 429, 430, 432, 437, 438, 442, 206, 599)"

    def answers(name):
        rules = subprocess.check_output([AGENT, "seccomp", name])
        script = code.replace("REFUSED", refused)
        return subprocess.check_output([PYTHON, "-c", script], input=rules).decode().splitlines()

    kernels, porters = answers("inside"), answers("porter")
    assert porters[0] == kernels[0] and set(kernels[0].split()) == {"EPERM", "ENOSYS"}
    assert kernels[1].split() == ["EPERM"] * 6
    assert porters[1].split() == ["EPERM"] * 5 + ["EBADF"]
