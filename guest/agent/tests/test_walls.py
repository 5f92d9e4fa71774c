"""Seen from inside a real bubblewrap: what is refused, what is hidden, what still works."""

import io
import os
import subprocess
import tarfile
from pathlib import Path

import pytest
from client import Problem
from places import IDENTITY, NOBODY, PROGRAM, descendants_of

EPERM, ENOSYS, EAFNOSUPPORT, EOPNOTSUPP = 1, 38, 97, 95

# name, number on x86_64 and aarch64, arguments, what the filter answers
CALLS = [
    ("mount", 165, 40, "0,0,0,0,0", EPERM), ("umount2", 166, 39, "0,0", EPERM), ("pivot_root", 155, 41, "0,0", EPERM),
    ("fsopen", 430, 430, "0,0", EPERM), ("fsconfig", 431, 431, "-1,0,0,0,0", EPERM), ("fsmount", 432, 432, "-1,0,0", EPERM),
    ("fspick", 433, 433, "-1,0,0", EPERM), ("move_mount", 429, 429, "-1,0,-1,0,0", EPERM),
    ("open_tree", 428, 428, "-1,0,0", EPERM), ("mount_setattr", 442, 442, "-1,0,0,0,0", EPERM),
    ("unshare of users", 272, 97, "0x10000000", EPERM), ("unshare of nothing", 272, 97, "0", EPERM),
    ("setns", 308, 268, "-1,0", EPERM), ("clone3", 435, 435, "0,0", ENOSYS), ("chroot", 161, 51, "0", EPERM),
    ("bpf", 321, 280, "0,0,0", EPERM), ("keyctl", 250, 219, "0,0,0", EPERM), ("add_key", 248, 217, "0,0,0,0,0", EPERM),
    ("request_key", 249, 218, "0,0,0,0", EPERM), ("userfaultfd", 323, 282, "1", EPERM),
    ("perf_event_open", 298, 241, "0,0,0,0,0", EPERM), ("io_uring_setup", 425, 425, "1,0", ENOSYS),
    ("io_uring_enter", 426, 426, "-1,0,0,0,0,0", ENOSYS), ("io_uring_register", 427, 427, "-1,0,0,0", ENOSYS),
    ("kexec_load", 246, 104, "0,0,0,0", EPERM), ("init_module", 175, 105, "0,0,0", EPERM),
    ("finit_module", 313, 273, "-1,0,0", EPERM), ("delete_module", 176, 106, "0,0", EPERM),
    ("ptrace traceme", 101, 117, "0,0,0,0", EPERM), ("process_vm_readv", 310, 270, "1,0,0,0,0,0", EPERM),
    ("process_vm_writev", 311, 271, "1,0,0,0,0,0", EPERM), ("kcmp", 312, 272, "1,1,0,0,0", EPERM),
    ("pidfd_getfd", 438, 438, "-1,0,0", EPERM), ("reboot", 169, 142, "0,0,0,0", EPERM), ("swapon", 167, 224, "0,0", EPERM),
    ("acct", 163, 89, "0", EPERM), ("quotactl", 179, 60, "0,0,0,0", EPERM), ("settimeofday", 164, 170, "0,0", EPERM),
    ("clock_settime", 227, 112, "99,0", EPERM), ("adjtimex", 159, 171, "0", EPERM), ("clock_adjtime", 305, 266, "99,0", EPERM),
    ("open_by_handle_at", 304, 265, "-1,0,0", EPERM), ("name_to_handle_at", 303, 264, "-1,0,0,0,0", EPERM),
    ("syslog", 103, 116, "10,0,0", EPERM), ("vhangup", 153, 58, "", EPERM), ("fanotify_init", 300, 262, "0,0", EPERM),
    ("personality READ_IMPLIES_EXEC", 135, 92, "0x0400000", EPERM), ("mknodat of a device", None, 33, "-1,0,0o020666,0", EPERM),
    ("mknodat of a device", 259, None, "-100,ctypes.c_char_p(b'/tmp/dev'),0o020666,0x103", EPERM),
    ("mknodat of a disk", 259, 33, "-100,ctypes.c_char_p(b'/tmp/dev'),0o060666,0x103", EPERM),
    ("openat2", 437, 437, "-1,0,0,0", ENOSYS), ("chmod setuid", 90, None, "ctypes.c_char_p(b'/tmp'),0o4755", EPERM),
    ("fchmod setuid", 91, 52, "0,0o4755", EPERM), ("fchmod setgid", 91, 52, "0,0o2755", EPERM),
    ("fchmod setuid with a high half", 91, 52, "0,0x100000000+0o4755", EPERM),
    ("fchmodat setuid", 268, 53, "-100,ctypes.c_char_p(b'/tmp'),0o4755", EPERM),
    ("fchmodat2 setgid", 452, 452, "-100,ctypes.c_char_p(b'/tmp'),0o2755,0", EPERM),
    ("creat setuid", 85, None, "ctypes.c_char_p(b'/tmp/lent'),0o4755", EPERM),
    ("open setuid", 2, None, "ctypes.c_char_p(b'/tmp/lent'),0o101,0o4755", EPERM),
    ("openat setuid", 257, 56, "-100,ctypes.c_char_p(b'/tmp/lent'),0o101,0o4755", EPERM),
    ("openat setgid", 257, 56, "-100,ctypes.c_char_p(b'/tmp/lent'),0o101,0o2755", EPERM),
    ("openat setuid without a name", 257, 56, "-100,ctypes.c_char_p(b'/tmp'),0o20200002,0o4755", EPERM),
    ("mknodat setuid", 259, 33, "-100,ctypes.c_char_p(b'/tmp/lent'),0o104755,0", EPERM),
    ("mknod setuid", 133, None, "ctypes.c_char_p(b'/tmp/lent'),0o104755,0", EPERM),
    ("clone of users", 56, 220, "0x10000011,0,0,0,0", EPERM), ("clone of mounts", 56, 220, "0x20011,0,0,0,0", EPERM),
    ("TIOCSTI", 16, 29, "0,0x5412,0", EPERM), ("TIOCLINUX", 16, 29, "0,0x541C,0", EPERM),
    ("TIOCSTI with a high half", 16, 29, "0,0x100005412,0", EPERM),
    ("socket of packets", 41, 198, "17,3,0", EAFNOSUPPORT), ("socket vsock", 41, 198, "40,1,0", EAFNOSUPPORT),
    ("socket alg", 41, 198, "38,5,0", EAFNOSUPPORT), ("netlink audit", 41, 198, "16,3,9", EAFNOSUPPORT),
    ("netlink uevent", 41, 198, "16,3,15", EAFNOSUPPORT), ("socket with a high half", 41, 198, "0x100000011,3,0", EAFNOSUPPORT),
    ("socketpair of tipc", 53, 199, "30,1,0,0", EAFNOSUPPORT),
    ("prlimit of another", 302, 261, "1,5,ctypes.c_char_p(bytes(16)),0", EPERM),
    ("setpriority of another", 141, 140, "0,1,0", EPERM), ("setpriority of a group", 141, 140, "1,1,0", EPERM),
    ("setpriority of all", 141, 140, "2,0,0", EPERM),
    ("sched_setscheduler of another", 144, 119, "1,5,ctypes.c_char_p(bytes(4))", EPERM),
    ("sched_setattr of another", 314, 274, "1,0,0", EPERM), ("ioprio_set of another", 251, 30, "1,1,0x4007", EPERM),
    ("ioprio_set of all", 251, 30, "3,0,0x4007", EPERM),
    ("fallocate", 285, 47, "FILE,0,0,4096", EOPNOTSUPP), ("fallocate that keeps the size", 285, 47, "FILE,1,0,4096", EOPNOTSUPP),
    ("fallocate of zeros", 285, 47, "FILE,16,0,4096", EOPNOTSUPP), ("RESVSP64", 16, 29, "FILE,0x4030582A,ctypes.c_char_p(SPACE)", EOPNOTSUPP),
    ("RESVSP", 16, 29, "FILE,0x40305828,ctypes.c_char_p(SPACE)", EOPNOTSUPP), ("ZERO_RANGE", 16, 29, "FILE,0x40305839,ctypes.c_char_p(SPACE)", EOPNOTSUPP),
    ("FSSETXATTR", 16, 29, "FILE,0x401c5820,ctypes.c_char_p(bytes(64))", EOPNOTSUPP),
    ("io_setup", 206, 0, "1,ctypes.c_char_p(bytes(8))", ENOSYS), ("statmount", 457, 457, "0,0,0,0", ENOSYS),
    ("rename with a whiteout", 316, 276, "-100,ctypes.c_char_p(b'/tmp/here'),-100,ctypes.c_char_p(b'/tmp/there'),4", EPERM),
    ("ip_tables", 54, 208, "SOCKET,0,64,0,0", EPERM), ("ip6_tables", 54, 208, "SOCKET,41,65,0,0", EPERM), ("a call of the future", 600, 600, "", ENOSYS),
]  # fmt: skip
NUMBER = 1 if os.uname().machine == "x86_64" else 2

PROBE = """
import ctypes, os, socket, struct
FILE, SOCKET = os.open('/tmp/space', os.O_CREAT | os.O_RDWR), socket.socket().fileno()
SPACE = struct.pack('hhxxxxqqii16x', 0, 0, 0, 4096, 0, 0)
open('/tmp/here', 'w').close()
libc = ctypes.CDLL(None, use_errno=True)
for name, number, arguments in CALLS:
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[a if isinstance(a, ctypes.c_char_p) else ctypes.c_long(a) for a in arguments])
    print(name, result, ctypes.get_errno(), sep='|')
"""


def script_for(names=None):
    chosen = [call for call in CALLS if call[NUMBER] is not None and (names is None or call[0] in names)]
    calls = ",".join(f"({call[0]!r},{call[NUMBER]},[{call[3]}])" for call in chosen)
    return PROBE.replace("in CALLS", f"in [{calls}]")


def read_answers(said):
    return {line.split("|")[0]: line.split("|")[1:] for line in said.splitlines()}


def test_dangerous_calls_are_refused(walled):
    ended = walled.run("python3", "-c", script_for())
    assert ended.code == 0, ended.err
    got = read_answers(ended.out.decode())
    wrong = {c[0]: got[c[0]] for c in CALLS if c[NUMBER] is not None and got[c[0]] != ["-1", str(c[4])]}
    assert wrong == {} and len(got) > 50


def test_without_the_filter_some_of_them_would_work():
    names = {"unshare of users", "io_uring_setup", "netlink uevent", "TIOCSTI with a high half", "keyctl", "pidfd_getfd", "chmod setuid", "openat setuid"}
    names |= {"prlimit of another", "setpriority of another", "setpriority of all", "ioprio_set of another", "fallocate", "RESVSP64", "io_setup"}
    names |= {"rename with a whiteout", "a call of the future"}
    refused = {name: str(error) for name, _, _, _, error in CALLS}
    walls = "bwrap --unshare-user --unshare-pid --unshare-net --uid 1000 --gid 1000 --cap-drop ALL --ro-bind /usr /usr --symlink usr/lib /lib"
    walls += " --symlink usr/lib64 /lib64 --proc /proc --dev /dev --tmpfs /tmp"
    ended = subprocess.run([*walls.split(), "python3", "-c", script_for(names)], capture_output=True, text=True, check=True)
    got = read_answers(ended.stdout)
    assert [name for name in sorted(names) if got[name] == ["-1", refused[name]]] == ["a call of the future"], "nor does it exist there"


def test_ordinary_calls_still_work(walled):
    script = """
import os, resource, socket, threading, subprocess, multiprocessing, tempfile, mmap, ctypes
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX): socket.socket(family).close()
socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0).close()
socket.socketpair()
t = threading.Thread(target=print, args=('thread',)); t.start(); t.join()
assert subprocess.run(['echo', 'child']).returncode == 0
os.chmod('/tmp', 0o1777); os.open('/tmp/fresh', os.O_CREAT | os.O_RDWR, 0o600); os.open('/usr', os.O_RDONLY, 0o6755); os.mkfifo('/tmp/fifo'); os.mknod('/tmp/plain'); os.memfd_create('x'); os.setsid() if os.getpid() != os.getsid(0) else 0
libc = ctypes.CDLL(None, use_errno=True)
assert libc.personality(0xffffffff) == 0 and libc.personality(0x0040000) == 0
assert libc.prctl(15, b'named') == 0 and open('/proc/self/comm').read() == 'named\\n' and libc.prctl(24, 1000, 0, 0, 0) == -1
os.setpriority(os.PRIO_PROCESS, 0, 5); os.sched_setscheduler(os.getpid(), os.SCHED_OTHER, os.sched_param(0)); os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0)); resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64)); resource.prlimit(os.getpid(), resource.RLIMIT_NOFILE)
multiprocessing.Pool(2).map(abs, [1, 2])
server = socket.create_server(('127.0.0.1', 0)); socket.create_connection(server.getsockname())
print('fine')
"""
    ended = walled.run("python3", "-c", script)
    assert ended.out.endswith(b"fine\n"), ended.err


@pytest.mark.skipif(NUMBER != 1, reason="x32 is of x86_64")
def test_the_numbers_of_x32_are_deadly(walled):
    ended = walled.run("python3", "-c", "import ctypes; ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 + 39))")
    assert ended.end["signal"] == "31"


def test_the_printed_filter_is_the_one_in_force():
    filter = subprocess.run([PROGRAM, "seccomp", "inside"], capture_output=True, check=True).stdout
    assert len(filter) % 8 == 0 and 100 < len(filter) // 8 < 1024
    install = f"""
import ctypes, os
class Program(ctypes.Structure): _fields_ = [('length', ctypes.c_ushort), ('filter', ctypes.c_char_p)]
libc = ctypes.CDLL(None, use_errno=True)
bytes = {filter!r}
assert libc.prctl(38, 1, 0, 0, 0) == 0
assert libc.prctl(22, 2, ctypes.byref(Program(len(bytes) // 8, bytes)), 0, 0) == 0
print(libc.unshare(0), ctypes.get_errno())
"""
    ended = subprocess.run(["python3", "-c", install], capture_output=True, check=True)
    assert ended.stdout == b"-1 1\n"


def test_nothing_of_the_agent_can_be_read(walled):
    for name in ("environ", "fd", "mem", "maps", "root/etc", "cwd", "task/1/fd", "fdinfo", "map_files", "auxv"):
        ended = walled.shell(f"ls /proc/1/{name}/ ; cat /proc/1/{name}")
        assert ended.out == b"" and b"denied" in ended.err, (name, ended.out, ended.err)


def test_handlers_are_hidden_as_well(walled):
    ended = walled.shell("for p in /proc/[0-9]*; do [ $p = /proc/$$ ] || ls $p/fd >/dev/null 2>&1 && echo $p; done; echo $$")
    readable = ended.out.decode().split()
    assert readable == ["/proc/" + ended.answer["pid"], ended.answer["pid"]]


def test_no_capabilities_and_no_new_privileges(walled):
    hello = walled.ask("hello")
    assert (hello["capabilities"], hello["no_new_privs"], hello["seccomp"]) == ("0" * 16, "1", "2")
    status = walled.shell("grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status").out.decode()
    values = dict(line.split(":\t") for line in status.splitlines())
    assert {values[key] for key in values if key.startswith("Cap")} == {"0" * 16}, "the bounding set too"
    assert values["NoNewPrivs"] == "1" and values["Seccomp"] == "2"


def test_the_caller_s_environment_stays_outside(walled):
    assert b"of the caller" not in walled.shell("env; cat /proc/[0-9]*/environ 2>/dev/null").out
    with walled.start("sleep", "1000") as connection:
        connection.answer()
        seen = [of_process(pid, "environ") for pid in [walled.process.pid, *descendants_of(walled.process.pid)]]
    assert len([text for text in seen if "PATH=" in text]) >= 1 and not [text for text in seen if "of the caller" in text]


def of_process(pid, name):
    """Empty for a process that is gone."""
    try:
        return Path(f"/proc/{pid}/{name}").read_text()
    except OSError:
        return ""


def test_core_pattern_and_other_switches_cannot_be_written(walled):
    before = Path("/proc/sys/kernel/core_pattern").read_text()
    for name in ("kernel/core_pattern", "kernel/modprobe", "vm/drop_caches", "kernel/hostname"):
        assert walled.shell(f"cat /proc/sys/{name} >/tmp/x 2>/dev/null; echo '|/x' >/proc/sys/{name}").code != 0
    assert Path("/proc/sys/kernel/core_pattern").read_text() == before


def test_processes_of_the_host_are_neither_seen_nor_reached(walled):
    ended = walled.shell("ls -d /proc/[0-9]* | wc -l; kill -0 %d && echo reached" % os.getpid())
    assert int(ended.out.split()[0]) < 10 and b"reached" not in ended.out


def test_only_the_loopback_is_there(walled):
    assert walled.shell("cut -d: -f1 /proc/net/dev | tail -n +3").out.split() == [b"lo"]


def test_the_kernel_s_own_owner_is_the_identity(walled):
    wanted = {"identity": IDENTITY, "nobody": NOBODY}.get(walled.kind, os.getuid())
    with walled.start("sleep", "1000") as connection:
        connection.answer()
        owners = set()
        for pid in descendants_of(walled.process.pid):
            owners.update(of_process(pid, "status").partition("Uid:")[2].split()[:4])
    assert owners == {str(wanted)}


def test_files_of_the_workspace_belong_to_root_outside_and_to_the_command_inside(make):
    place = make("identity")
    (place.workspace / "before").write_text("x")
    (place.workspace / "before").chmod(0o600)
    ended = place.shell("cat before; echo y >>before; echo z >after; stat -c %u before after")
    assert ended.out.split() == [b"x1000", b"1000"] or ended.out == b"x1000\n1000\n"
    assert (place.workspace / "after").stat().st_uid == 0 and (place.workspace / "before").read_text() == "xy\n"


@pytest.mark.parametrize(
    "options",
    [["--bind", "/no/such/source", "/x"], ["--sofa", "x"], ["--symlink", "x"], ["--ro-bind", "/usr", "/x", "--dir", "/x/y"],
     ["--no-exec", "/nothing/mounted"], ["--tmpfs", "/x", "mode", "size"], ["--family", "sofa"], ["--rlimit", "sofas=1"]],
)  # fmt: skip
def test_walls_that_cannot_be_staged_are_refused(tmp_path, options):
    launch = [PROGRAM, "launch", "--family", "new", *(["--identity", str(IDENTITY)] if os.geteuid() == 0 else [])]
    launch += ["--tmpfs", "/", "0755", "1048576", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib"]
    ended = subprocess.run([*launch, *options, "--", "bwrap", "--", "true"], capture_output=True, text=True)
    assert ended.returncode == 125 and ended.stderr.startswith("husk-agent: ") and ended.stderr.count("\n") == 1


def test_root_does_not_become_a_sandbox_s_user():
    if os.geteuid() != 0:
        pytest.skip("this is not root")
    ended = subprocess.run([PROGRAM, "launch", "--family", "new", "--", "bwrap", "--", "true"], capture_output=True, text=True)
    assert ended.returncode == 125 and "identity" in ended.stderr


@pytest.mark.parametrize("way", ["chmod u+s f", "chmod g+s f", "install -m 4755 f g", "cp -p /usr/bin/su g && test -u g", "tar xpf t && test -u s"])
def test_no_file_of_a_workspace_lends_its_owner_s_rights(walled, way):
    with tarfile.open(walled.workspace / "t", "w") as archive:
        lending = tarfile.TarInfo("s")
        lending.mode = 0o6755
        archive.addfile(lending)
    (walled.workspace / "t").chmod(0o644)
    assert walled.shell(f"rm -f s g; touch f; {way}").code != 0
    assert [f for f in walled.workspace.iterdir() if f.stat().st_mode & 0o6000] == []


def test_unpacking_drops_what_would_lend_rights(walled):
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        lending = tarfile.TarInfo("unpacked")
        lending.mode = 0o6755
        tar.addfile(lending)
    with walled.open("unpack", path="/workspace") as connection:
        connection.send("D", archive.getvalue())
        connection.send("Z")
        connection.answer()
    assert (walled.workspace / "unpacked").stat().st_mode & 0o7777 == 0o755


def test_the_host_cannot_be_made_to_write_such_a_file_either(walled):
    with pytest.raises(Problem) as problem:
        walled.write("/workspace/lent", b"x", mode="4755")
    assert problem.value.code == "denied" and not (walled.workspace / "lent").exists()


def test_commands_die_of_memory_before_the_agent(walled):
    assert int(walled.run("cat", "/proc/self/oom_score_adj").out) >= 500
    assert int(walled.run("cat", "/proc/1/oom_score_adj").out) < 500


@pytest.mark.parametrize("call", ["resource.setrlimit(4, (0, 0))", "resource.prlimit(0, 4, (0, 0))", "libc.syscall(160, 4, bytes(16))"])
def test_the_limit_of_core_files_stays(walled, call):
    before = f"import ctypes, resource, os; libc = ctypes.CDLL(None); os.uname().machine != 'x86_64' and '160' in '{call}' or {call};"
    assert walled.run("python3", "-c", before + "print(resource.getrlimit(4))").out == b"(1, 1)\n"
