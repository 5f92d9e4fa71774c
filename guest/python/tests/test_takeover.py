"""What a porter can do that code in its kernel has taken over, for real: nothing that the sandbox could not.

Each test begins by taking it over (``guest/attacks``). They run as root, whose sandboxes have an identity of their own,
and as an ordinary user, whose sandboxes are that user on the host too.
"""

import ast
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile

import pytest

from copies import CopyingParent
from harness import GUEST, as_user, process_exists, wait_until
from walls import AGENT, Walls, needed

USER = 12345
ATTACKS = os.path.join(os.path.dirname(GUEST), "attacks")
LIBRARY = os.path.join(os.path.dirname(AGENT), "husk-takeover.so")
SECRET = "nobody inside may read this"

pytestmark = [
    needed,
    pytest.mark.skipif(platform.machine() != "x86_64", reason="porters are taken over in the language of x86_64"),
    pytest.mark.skipif(not os.path.exists(LIBRARY), reason="needs make -C guest/agent OUT=guest/agent attacks"),
]


class Scene:
    """A kernel whose porter has been taken over, and a host around it with something to reach."""

    def __init__(self, user):
        self.user, self.folder, self._built = user, tempfile.mkdtemp(), []
        os.chmod(self.folder, 0o755)
        self.own = self._place("own", "rw", 0o755)
        self.secret = self._place("secret", SECRET, 0o644)
        self.guarded = self._place("guarded", "as it was", 0o666)
        self.shown = os.path.join(self.folder, "shown")
        os.mkdir(self.shown)
        self._give(self.shown)
        self.inner = self._place("shown/inner", "as it was", 0o666)
        self.covered = self._place("shown/covered", SECRET, 0o666)
        self.parent = CopyingParent("--patience", "3", user=user)
        self.walls = self.build()
        self.kernel = self.spawn(self.walls)

    def _place(self, name, text, mode):
        path = os.path.join(self.folder, name)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)
        self._give(path)
        return path

    def _give(self, path):
        if self.user is not None:
            os.chown(path, self.user, self.user)

    def build(self, sibling=None):
        view = ["--ro-bind", self.guarded, "/guarded", "--bind", self.shown, "/shown", "--ro-bind", self.inner, "/shown/inner"]
        view += ["--ro-bind", "/dev/null", "/shown/covered"]
        walls = Walls(self.folder, sibling, self.user, view)
        shutil.copy(LIBRARY, walls.workspace)
        self._built.append(walls)
        return walls

    def spawn(self, walls):
        env = {"PATH": "/usr/bin:/bin", "HOME": "/workspace"}
        return self.parent.spawn(housing=walls.housing(), cwd="/workspace", env=env)

    def arm(self, kernel):
        """Gives it the means."""
        with open(os.path.join(ATTACKS, "takeover.py")) as file:
            result = kernel.run(file.read())
        assert result.status == "ok", result.error

    def take_over(self, kernel):
        self.arm(kernel)
        self.run("porter = take_over(); 0", kernel)

    def run(self, code, kernel=None):
        result = (kernel or self.kernel).run(code)
        assert result.status == "ok", "\n".join(result.error["traceback"])
        return repr(ast.literal_eval(result.value))  # on one line, however long

    def inner_agent(self):
        """The number of the sandbox's first process in the family."""
        return inner_number(self.walls.pid)

    def close(self):
        self.parent.close()
        for walls in self._built:
            walls.close()
        wait_until(lambda: not any(process_exists(walls.family) for walls in self._built), "the families are gone")
        shutil.rmtree(self.folder)


def inner_number(pid):
    with open("/proc/%d/status" % pid) as status:
        return [int(line.split()[2]) for line in status if line.startswith("NSpid:")][0]


@pytest.fixture(params=["root", "user"])
def quiet(request):
    """Before anything is taken over."""
    if os.getuid() != 0 and request.param == "root":
        pytest.skip("this is not root")
    made = Scene(USER if request.param == "user" and os.getuid() == 0 else None)
    yield made
    made.close()


@pytest.fixture
def scene(quiet):
    quiet.take_over(quiet.kernel)
    return quiet


# --- where it stands


def test_it_is_taken_over_for_real(scene):
    porter = int(open("/proc/%d/stat" % scene.kernel.pid).read().rpartition(")")[2].split()[1])
    assert scene.run("porter.call('getpid')") == str(inner_number(porter))
    assert scene.run("porter.fork().call('getppid')") == str(inner_number(porter))


def test_it_has_no_rights_and_gets_none(scene):
    assert scene.run("porter.capabilities()") == "0"
    code = "names(*[porter.call('unshare', flag) for flag in CLONE.values()])"
    assert scene.run(code) == str(["EPERM"] * 7)
    code = "names(*[porter.call('clone', flag | 17) for flag in CLONE.values()], porter.call('clone3', bytes(88), 88))"
    assert scene.run(code) == str(["EPERM"] * 7 + ["ENOSYS"])
    assert scene.run("names(porter.call('setresuid', 0, 0, 0))") == "['EINVAL']"


def test_there_are_no_files_where_it_stands(scene):
    assert scene.run("porter.list('/'), names(porter.open('/proc'), porter.open('/etc/passwd'))") == "([], ['ENOENT', 'ENOENT'])"
    assert scene.run("names(porter.open('/new', os.O_CREAT | os.O_WRONLY), porter.call('mkdir', '/new', 0o700))") == "['EROFS', 'EROFS']"
    assert scene.run("porter.list('/..'), porter.list('.')") == "([], [])"


def test_its_descriptors_lead_nowhere(scene):
    code = """
found = []
for number in range(1024):
    if porter.call('fcntl', number, 1) >= 0:
        found.append((number, names(porter.open('..', os.O_RDONLY | os.O_DIRECTORY, at=number))[0]))
len(found), {error for _, error in found}
"""
    assert scene.run(code) == "(3, {'ENOTDIR'})"


def test_it_reaches_no_network_and_no_socket_of_the_host(scene):
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as abstract:
        name = "husk-test-%d" % os.getpid()
        abstract.bind("\0" + name)
        abstract.listen()
        port = server.getsockname()[1]
        code = "names(porter.tcp('127.0.0.1', %d), porter.unix('\\0%s'), porter.unix('%s'), porter.unix('%s'))"
        code %= (port, name, scene.parent.path, os.path.join(scene.kernel.directory, "porter"))
        assert scene.run(code) == "['ENETUNREACH', 'ECONNREFUSED', 'ENOENT', 'ENOENT']"
        # The same is there for whoever stands outside.
        socket.create_connection(("127.0.0.1", port)).close()


def test_it_sees_and_signals_no_process_but_its_family(scene):
    with subprocess.Popen([*as_user(scene.user), "sleep", "1000"]) as other:
        pids = other.pid, scene.parent.process.pid, scene.walls.launcher
        seen = scene.run("names(*[porter.call(name, pid, 0) for pid in %r for name in ('kill', 'pidfd_open')])" % (pids,))
        other.kill()
    assert seen == str(["ESRCH"] * 6)


def test_it_shares_no_memory_with_processes_of_the_host(scene):
    key = 0x48000000 + os.getpid() % 100000
    made = "import ctypes; print(ctypes.CDLL(None).shmget(%d, 4096, 0o1666))" % key
    shared = int(subprocess.check_output([*as_user(scene.user), "/usr/bin/python3", "-c", made]))
    try:
        assert shared >= 0
        assert scene.run("names(porter.call('shmget', %d, 4096, 0), porter.call('shmat', %d, 0, 0))" % (key, shared)) == "['ENOENT', 'EINVAL']"
    finally:
        subprocess.run([sys.executable, "-c", "import ctypes; ctypes.CDLL(None).shmctl(%d, 0, None)" % shared], check=True)


def test_wide_doors_are_shut_for_it_too(scene):
    calls = "'mount', 'umount2', 'pivot_root', 'chroot', 'open_tree', 'fsopen', 'ptrace', 'process_vm_writev', 'pidfd_getfd', 'bpf'"
    calls += ", 'open_by_handle_at', 'mount_setattr', 'keyctl', 'userfaultfd', 'perf_event_open', 'io_uring_setup'"
    assert scene.run("names(*[porter.call(name, 0, 0, 0, 0, 0) for name in (%s)])" % calls) == str(["EPERM"] * 15 + ["ENOSYS"])


def test_it_is_held_to_the_processors_that_its_sandbox_is_held_to(quiet):
    name = os.path.join(quiet.walls.folder, "fixed")
    with open(name, "wb") as file:
        file.write(subprocess.check_output([AGENT, "seccomp", "porter-fixed-processors"]))
    env = {"PATH": "/usr/bin:/bin", "HOME": "/workspace"}
    kernel = quiet.parent.spawn(housing=dict(quiet.walls.housing(), porter_seccomp=name), cwd="/workspace", env=env)
    quiet.take_over(kernel)
    assert quiet.run("names(*[porter.call(203, pid, 8, bytes([255] * 8)) for pid in (0, 1)])", kernel) == "['EPERM', 'EPERM']"
    assert quiet.run("names(porter.call('getpid') > 0)", kernel) == "[True]"


# --- where it can go: the sandboxes of its family, as a whole


def test_it_joins_nothing_less_than_a_whole_sandbox(scene):
    code = "names(*[porter.join(%d, flags) for flags in [0, *CLONE.values(), SANDBOX & ~CLONE['user'], SANDBOX & ~CLONE['net']]])"
    assert scene.run(code % scene.inner_agent()) == str(["EPERM"] * 10)
    assert scene.run("names(porter.join(1))") == "['EPERM']", "the family's own first process"


JOIN = """
mover = porter.fork()
assert mover.join(%d) == 0
inside = mover.fork()
"""


def test_with_every_right_in_a_sandbox_it_sees_what_the_sandbox_sees(scene):
    scene.run(JOIN % scene.inner_agent() + "0")
    assert int(scene.run("mover.capabilities()")) != 0, "it has rights there, and must not need to be believed"
    assert scene.run("mover.list('/') == sorted(os.listdir('/')), inside.list('/workspace') == sorted(os.listdir('/workspace'))") == "(True, True)"
    assert scene.run("names(mover.open('%s'), inside.open('%s'))" % (scene.secret, scene.secret)) == "['ENOENT', 'ENOENT']"
    assert scene.run("inside.pid, names(inside.call('kill', %d, 0))" % os.getpid()).endswith("['ESRCH'])")


def test_with_every_right_in_a_sandbox_nothing_is_uncovered_or_opened(scene):
    scene.run(JOIN % scene.inner_agent() + "0")
    attempts = """
outcomes = []
for seat in (mover, inside):
    for path in ('/guarded', '/shown/inner'):
        outcomes += [seat.write(path, b'changed'), seat.call('umount2', path, 2), seat.call('mount', 'none', path, 0, 0x1020, 0)]
    outcomes += [seat.call('umount2', '/shown/covered', 2), seat.call('umount2', '/usr', 2), seat.call('mknod', '/workspace/disk', 0o60666, 0xfe00)]
    outcomes += [seat.call('mount', '/dev/vda', '/workspace', 'ext4', 0, 0), seat.call('mount', 'proc', '/workspace', 'proc', 0, 0)]
    outcomes += [seat.call('open_by_handle_at', -100, bytes(64), 0), seat.write('/proc/sys/kernel/core_pattern', b'|/workspace/x')]
    outcomes += [seat.call('setns', seat.open('/proc/1/ns/mnt'), 0x20000), seat.call('chroot', '/proc/1/root')]
set(names(*outcomes))
"""
    assert eval(scene.run(attempts)) <= {"EPERM", "EROFS", "EACCES", "ENOENT"}
    assert open(scene.guarded).read() == "as it was" and open(scene.inner).read() == "as it was"
    assert SECRET.encode() not in eval(scene.run("repr(mover.read('/shown/covered'))")).encode()


def test_with_every_right_in_a_sandbox_the_agent_is_out_of_reach(scene):
    scene.run(JOIN % scene.inner_agent() + "0")
    code = "names(*[mover.open('/proc/1/' + name, flags) for name, flags in (('fd', 0), ('mem', 2), ('environ', 0), ('fd/4/..', 0))])"
    assert scene.run(code) == str(["EACCES"] * 4)


def test_even_who_owned_the_agent_would_find_no_way_out_of_what_it_has_open(scene):
    open_there = os.listdir("/proc/%d/fd" % scene.walls.pid)
    assert "4" in open_there
    for number in open_there:
        path = "/proc/%d/fd/%s" % (scene.walls.pid, number)
        target = os.readlink(path)
        if os.path.isdir(path):
            assert os.path.samefile(path, path + "/..") and os.listdir(path) == os.listdir(path + "/..") == [], target
        else:
            assert target.startswith(("socket:", "pipe:", "anon_inode:")) or target == "/dev/null", target


def test_the_folders_behind_processes_of_its_family_are_the_sandboxes_own(scene):
    scene.run(JOIN % scene.inner_agent() + "0")
    code = """
reached = []
for pid in [name for name in mover.list('/proc') if name.isdigit()]:
    for link in ('root', 'cwd'):
        for way in ('/proc/%s/%s%s', '/proc/%s/%s/..%s', '/proc/%s/%s/../../..%s'):
            reached += [way] if isinstance(mover.read(way % (pid, link, SECRET_PATH)), bytes) else []
reached
"""
    assert scene.run(code.replace("SECRET_PATH", repr(scene.secret))) == "[]"


def test_it_reaches_relatives_and_no_other_family(quiet):
    scene, sibling, stranger = quiet, quiet.build(quiet.walls), quiet.build()
    fork = scene.parent.fork(scene.kernel, sibling.housing())
    assert fork.run("1 + 1").value == "2"
    scene.take_over(scene.kernel)
    assert scene.run("names(porter.fork().join(%d))" % inner_number(sibling.pid)) == "[0]"
    strangers = scene.spawn(stranger)
    pids = stranger.pid, stranger.family, strangers.pid
    assert scene.run("names(*[call for pid in %r for call in (porter.join(pid), porter.call('kill', pid, 9))])" % (pids,)) == str(["ESRCH"] * 6)
    scene.run("porter.call('kill', %d, 9)" % inner_number(sibling.pid))
    wait_until(lambda: not process_exists(fork.pid), "its relative has ended")
    assert strangers.run("6 * 7").value == "42"


EXECUTABLE = """
program = os.open('/proc/self/exe', os.O_PATH)
outcomes = []
for flags in (os.O_WRONLY, os.O_RDWR, os.O_WRONLY | os.O_TRUNC):
    try:
        os.close(os.open('/proc/self/fd/%d' % program, flags))
        outcomes.append('opened')
    except OSError as error:
        outcomes.append(errno.errorcode[error.errno])
outcomes, os.stat('/proc/self/exe').st_uid == os.geteuid(), bool(os.fstatvfs(program).f_flag & os.ST_RDONLY)
"""


def test_the_kernels_program_cannot_be_rewritten_by_way_of_its_process(scene):
    outcomes, own, read_only = eval(scene.run(EXECUTABLE))
    assert "opened" not in outcomes and (read_only or not own), outcomes


def test_nor_if_it_is_a_file_of_the_user_whose_sandboxes_they_are(own_python):
    """Who executes a file keeps others from writing it (ETXTBSY), but not for ever: the mount must."""
    outcomes, own, read_only = eval(own_python.run("import errno, os" + EXECUTABLE).value)
    assert own and read_only and "opened" not in outcomes and "EROFS" in outcomes


@pytest.fixture
def own_python():
    folder = tempfile.mkdtemp()
    os.chmod(folder, 0o755)
    program = shutil.copy("/usr/bin/python3", os.path.join(folder, "python3"))
    user = USER if os.getuid() == 0 else None
    for path in (folder, program):
        os.chown(path, USER, USER) if user else None
    parent = CopyingParent(user=user, python=program)
    walls = Walls(folder, user=user, more=["--ro-bind", folder, folder])
    yield parent.spawn(housing=walls.housing(), cwd="/workspace", env={"PATH": "/usr/bin:/bin", "HOME": "/workspace"})
    parent.close()
    walls.close()
    shutil.rmtree(folder)


# --- what it leaves behind


def test_what_it_forked_ends_with_the_last_sandbox(scene):
    scene.run("rogue = porter.fork(); rogue.call('setsid'); other = rogue.fork(); 0")
    before = set(family_members(scene.walls.family))
    assert len(before) == 4, "the first process, the porter, and the two it forked"
    scene.kernel.close()
    scene.parent.kernels.remove(scene.kernel)
    scene.walls.close()
    wait_until(lambda: not any(process_exists(pid) for pid in before), "nobody of the family is left")


def family_members(family):
    space = os.readlink("/proc/%d/ns/pid" % family)
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and os.readlink("/proc/%s/ns/pid" % name) == space:
                yield int(name)
        except OSError:
            pass
