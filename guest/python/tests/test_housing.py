"""A kernel that moves into a sandbox: what it sees there, what it may do, and that it is still a whole kernel."""

import os
import signal

import pytest

from harness import WarmParent, process_exists, wait_until
from walls import NAMESPACES, Walls, needed

pytestmark = needed

@pytest.fixture
def walls(tmp_path):
    walls = Walls(str(tmp_path))
    yield walls
    walls.close()


@pytest.fixture
def housed(parent, walls, tmp_path):
    env = {"PATH": "/usr/bin:/bin", "HOME": "/workspace"}
    return parent.spawn(housing=walls.housing(), cwd="/workspace", env=env)


def test_it_runs_code_and_sees_only_what_is_inside(housed):
    assert housed.run("1 + 1").value == "2"
    assert housed.run("import os; os.getcwd()").value == "'/workspace'"
    assert housed.run("os.path.exists('/etc/passwd')").value == "False"
    assert housed.run("os.path.exists('/var')").value == "False"


def test_it_is_in_every_namespace_of_the_sandbox(housed, walls):
    for name in NAMESPACES:
        theirs = os.readlink("/proc/%d/ns/%s" % (walls.pid, name))
        assert housed.run("import os; os.readlink('/proc/self/ns/%s')" % name).value == repr(theirs)


def test_it_is_nobody_special(housed):
    status = housed.run("import os; print(open('/proc/self/status').read())").stdout
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
        assert int(lines[name], 16) == 0
    assert lines["NoNewPrivs"] == "1"
    assert lines["Seccomp"] == "2"
    assert lines["Uid"].split() == ["1000"] * 4
    assert lines["Gid"].split() == ["1000"] * 4
    if os.getuid() == 0:
        assert lines["Groups"].split() == []


def test_what_the_filter_refuses_is_refused(housed):
    code = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
results = []
for call in (lambda: libc.unshare(0x10000000), lambda: libc.mount(b'x', b'/tmp', b'tmpfs', 0, None),
             lambda: libc.setns(0, 0), lambda: libc.ptrace(0, 0, 0, 0), lambda: libc.syscall(425, 8, None)):
    results.append(call())
results
"""
    assert housed.run(code).value == "[-1, -1, -1, -1, -1]"


def test_it_holds_no_descriptor_that_leads_outside(housed):
    code = """
import os, stat
kinds = []
for name in os.listdir('/proc/self/fd'):
    try:
        kinds.append(stat.S_ISDIR(os.fstat(int(name)).st_mode))
    except OSError:
        pass
any(kinds)
"""
    assert housed.run(code).value == "False"


def test_its_limits_are_those_of_the_sandbox(housed):
    assert housed.run("import resource; resource.getrlimit(resource.RLIMIT_NOFILE)").value == "(200, 200)"


def test_it_can_be_interrupted_from_outside(housed):
    housed.run("kept = 'yes'")
    msg_id = housed.start("print('on')\nimport time\nwhile True: time.sleep(0.01)")
    housed.wait_for_text("on")
    os.killpg(housed.pid, signal.SIGINT)
    assert housed.finish(msg_id).reply["ename"] == "KeyboardInterrupt"
    assert housed.run("kept").value == "'yes'"


def test_it_starts_processes_and_threads(housed):
    assert housed.run("import subprocess; subprocess.check_output(['id', '-u'])").value == r"b'1000\n'"
    assert housed.run("import threading; t = threading.Thread(target=print); t.start(); t.join()").status == "ok"


def test_its_end_is_seen_by_the_parent(parent, housed):
    housed.run("x = 1")
    os.kill(housed.pid, 9)
    assert parent.connection.exit_event(housed.kernel_id)["signal"] == 9


def test_it_ends_with_the_sandbox(parent, housed, walls):
    walls.close()
    wait_until(lambda: not process_exists(housed.pid), "the kernel has ended")
    assert parent.connection.exit_event(housed.kernel_id)["signal"] == 9


def test_a_sandbox_that_is_gone_is_refused(tmp_path):
    parent = WarmParent()
    try:
        seccomp = tmp_path / "seccomp"
        seccomp.write_bytes(b"\0" * 8)
        housing = {"pid": 2**22 - 1, "uid": 1, "gid": 1, "seccomp": str(seccomp)}
        assert parent.connection.ask(**parent.prepare(housing=housing))["ok"] is False
    finally:
        parent.close()
