"""Moves a freshly forked kernel into a sandbox that stands ready, and gives up every right to leave it.

The walls were built around another process. This one joins its namespaces in one call, forks once more (a process
cannot change its own pid namespace, only that of its children), and drops what it brought along: groups, identity,
capabilities, the way to get any of them back, and the system calls that the sandbox refuses to everybody. It must have
one thread, and no descriptor of a directory outside: through one of those everything outside could be reached.
"""

import ctypes
import os
import resource

from . import linux, porter

_CLONE_NEW = {
    "mnt": 0x00020000,
    "cgroup": 0x02000000,
    "uts": 0x04000000,
    "ipc": 0x08000000,
    "user": 0x10000000,
    "pid": 0x20000000,
    "net": 0x40000000,
}
_PR_SET_DUMPABLE = 4
_PR_SET_SECCOMP = 22
_PR_CAPBSET_DROP = 24
_PR_SET_NO_NEW_PRIVS = 38
_PR_CAP_AMBIENT = 47
_PR_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_MODE_FILTER = 2
_LINUX_CAPABILITY_VERSION_3 = 0x20080522
_FILTER_SIZE = 8  # of one struct sock_filter
_RLIMITS = {
    "as": resource.RLIMIT_AS,
    "core": resource.RLIMIT_CORE,
    "cpu": resource.RLIMIT_CPU,
    "data": resource.RLIMIT_DATA,
    "fsize": resource.RLIMIT_FSIZE,
    "memlock": resource.RLIMIT_MEMLOCK,
    "msgqueue": resource.RLIMIT_MSGQUEUE,
    "nofile": resource.RLIMIT_NOFILE,
    "nproc": resource.RLIMIT_NPROC,
    "sigpending": resource.RLIMIT_SIGPENDING,
    "stack": resource.RLIMIT_STACK,
}

_libc = ctypes.CDLL(None, use_errno=True)


class _CapHeader(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _CapData(ctypes.Structure):
    _fields_ = [("effective", ctypes.c_uint32), ("permitted", ctypes.c_uint32), ("inheritable", ctypes.c_uint32)]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def move_in(housing, tell_birth):
    """Returns in the process that lives inside, which tells of itself on the way; the one that led it there ends."""
    filter_bytes = _read(housing["seccomp"])
    _join_cgroups(housing["cgroups"])
    _limit(housing["rlimits"])
    _enter(housing["pid"])
    if os.fork():
        os._exit(0)
    tell_birth()
    _become(housing["uid"], housing["gid"])
    _drop_capabilities()
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _filter_calls(filter_bytes)
    # Changing who one is hides a process even from itself in /proc.
    _prctl(_PR_SET_DUMPABLE, 1)


def move_beside(housing):
    """Moves to where a porter stands, from where a kernel can be let in: the house it is to be let into.

    Returns in another process, which is in the sandbox's family; the caller's own ends. Whoever shares memory with
    user code may be taken over by it: there is nothing where it stands, and it can do no more than it has to.
    """
    filter_bytes, porter_filter = _read(housing["seccomp"]), _read(housing["porter_seccomp"])
    sandbox = os.pidfd_open(housing["pid"])
    _join_cgroups(housing["cgroups"])
    _limit(housing["rlimits"])
    _enter(housing["family"])
    if os.fork():
        os._exit(0)
    _become(housing["uid"], housing["gid"])
    _drop_capabilities()
    _prctl(_PR_SET_NO_NEW_PRIVS, 1)
    _filter_calls(porter_filter)
    return porter.house(sandbox, filter_bytes)


def is_settled(pid, house):
    """Whether a kernel and its porter are where they were to be, and without rights.

    Who is copied is copied by what user code may have taken over. What it was to give up on the way it may have kept.
    """
    try:
        beside = linux.parent(pid)
        return _is_shut_in(pid, house["pid"]) and _is_shut_in(beside, house["family"])
    except OSError:
        return False  # it is gone, or hides


def end(pid, house):
    """Ends who did not become what it was to be. It may be gone, and its number somebody else's."""
    linux.kill_if(pid, lambda: is_of(pid, house))


def is_of(pid, house):
    """Whether a process lives in this sandbox or beside it."""
    try:
        return _lives_with(pid, house["pid"]) or _lives_with(pid, house["family"])
    except PermissionError:
        return True  # of our own processes only those hide that have something to hide


def _lives_with(pid, first):
    try:
        return os.readlink("/proc/%d/ns/pid" % pid) == os.readlink("/proc/%d/ns/pid" % first)
    except (FileNotFoundError, ProcessLookupError):
        return False  # one of them is gone


def _is_shut_in(pid, first):
    return _namespaces(pid) == _namespaces(first) and _has_no_rights(pid)


def _namespaces(pid):
    return [os.readlink("/proc/%d/ns/%s" % (pid, name)) for name in _CLONE_NEW]


def _has_no_rights(pid):
    with open("/proc/%d/status" % pid) as file:
        status = dict(line.split(":", 1) for line in file)
    kept = [status[name] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)]
    return not kept and int(status["NoNewPrivs"]) == 1 and int(status["Seccomp"]) == 2


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def open_cgroup(folder):
    """Where a process with one thread writes "0" to move there, which it can at once. To have a process moved, or one
    that may have more threads, waits until every processor of the machine has taken note: ten milliseconds.
    """
    tasks = os.path.join(folder, "tasks")
    return open(tasks if os.path.exists(tasks) else os.path.join(folder, "cgroup.procs"), "wb", buffering=0)


def _join_cgroups(folders):
    for folder in folders:
        with open_cgroup(folder) as tasks:
            tasks.write(b"0")


def _limit(limits):
    for name, value in limits.items():
        number = _RLIMITS[name]
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (value, value))


def _enter(pid):
    if os.geteuid() == 0:
        os.setgroups([])  # inside nobody may, and they would stay
    target = os.pidfd_open(pid)
    try:
        if _libc.setns(target, _differing(pid)) != 0:
            _fail("the sandbox cannot be entered")
    finally:
        os.close(target)


def _differing(pid):
    """Only namespaces that are not one's own already: to join one's own user namespace is refused."""
    flags = 0
    for name, flag in _CLONE_NEW.items():
        if os.readlink("/proc/%d/ns/%s" % (pid, name)) != os.readlink("/proc/self/ns/%s" % name):
            flags |= flag
    return flags


def _become(uid, gid):
    if os.getresgid() != (gid, gid, gid):
        os.setresgid(gid, gid, gid)
    if os.getresuid() != (uid, uid, uid):
        os.setresuid(uid, uid, uid)


def _drop_capabilities():
    number = 0
    while _libc.prctl(_PR_CAPBSET_DROP, number, 0, 0, 0) == 0:
        number += 1
    _prctl(_PR_CAP_AMBIENT, _PR_CAP_AMBIENT_CLEAR_ALL)
    header = _CapHeader(_LINUX_CAPABILITY_VERSION_3, 0)
    none = (_CapData * 2)()
    if _libc.capset(ctypes.byref(header), none) != 0:
        _fail("the capabilities cannot be dropped")


def _filter_calls(filter_bytes):
    buffer = ctypes.create_string_buffer(filter_bytes, len(filter_bytes))
    program = _Program(len(filter_bytes) // _FILTER_SIZE, ctypes.addressof(buffer))
    if _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
        _fail("the filter of system calls cannot be set")


def _prctl(option, argument):
    if _libc.prctl(option, argument, 0, 0, 0) != 0:
        _fail("prctl %d" % option)


def _fail(what):
    error = ctypes.get_errno()
    raise OSError(error, "%s: %s" % (what, os.strerror(error)))
