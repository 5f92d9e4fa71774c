"""What a copy of this process would not have, or would share with the original against all expectation.

Each is found beforehand and named, so that whoever asked for the copy can decide. A hazard has a kind, a name by which
the user knows it, and what would become of it.
"""

import asyncio
import gc
import os
import socket
import sys
import threading

_GPU_DEVICES = ("/dev/nvidia", "/dev/kfd", "/dev/dri/render")
_FIT_FOR_FORKS = ("ZMQbg/", "jemalloc_bg_thd")  # their libraries see to it
_COPIED = ("/workspace/", "/home/husk/", "/tmp/", "/var/tmp/")  # with the files, if they are the kernel's own


def found(kernel, circumstances, own_files):
    """All of them, given what else is known of the process, and whether a copy has files of its own."""
    hazards = company(kernel, circumstances) + _tasks()
    for descriptor in circumstances.open:
        hazard = _of_descriptor(descriptor, circumstances)
        if hazard is not None:
            hazards.append(hazard)
    return hazards + _shared_mappings(circumstances, own_files) + _gpu(circumstances.devices)


def company(kernel, circumstances):
    """Whoever else may do something meanwhile. The kernel's own bash does not, nor what libraries keep for themselves."""
    bash = circumstances.bash_process
    return _threads({threading.main_thread(), kernel.helper.thread, circumstances.bash_thread}) + _children(
        {os.getpid(), bash}, {bash, circumstances.tracker.pid}
    )


def _hazard(kind, name, fate):
    return {"kind": kind, "name": name, "fate": fate}


def _threads(ours):
    known = [thread for thread in threading.enumerate() if thread in ours or getattr(thread, "husk_own", False)]
    others = [thread for thread in threading.enumerate() if thread not in known]
    names = [thread.name for thread in others] + _hidden_threads() + _native_threads()
    return [_hazard("thread", name, "the copy does not have it") for name in names]


def _hidden_threads():
    """Of ``_thread``, which threading does not list."""
    listed = {thread.ident for thread in threading.enumerate()}
    return [
        "%s of _thread" % frame.f_code.co_name for ident, frame in sys._current_frames().items() if ident not in listed
    ]


def _native_threads():
    """Those with a name of their own: pools that their library would wait for in vain. What has none is mostly that of a
    library for linear algebra, which makes its own anew.
    """
    listed = {str(thread.native_id) for thread in threading.enumerate()}
    names = {task: _thread_name(task) for task in os.listdir("/proc/self/task") if task not in listed}
    unnamed = {"", "husk-kernel", _thread_name(os.getpid())}
    return [name for name in names.values() if name not in unnamed and not name.startswith(_FIT_FOR_FORKS)]


def _thread_name(task):
    try:
        with open("/proc/self/task/%s/comm" % task, "rb") as comm:
            return comm.read().decode("utf-8", "replace").rstrip("\n")
    except OSError:
        return ""


def _tasks():
    return [
        _hazard(
            "task",
            "%s (%s)" % (task.get_name(), getattr(task.get_coro(), "__qualname__", "?")),
            "the copy's event loop does not run it",
        )
        for task in _known_tasks()
        if not task.done() and not task.get_loop().is_closed()
    ]


def _known_tasks():
    """Of all event loops. Asyncio lists them by loop only, and loops are listed nowhere: to look for those among all
    objects takes long where there are many, so that is only done where there is no other way.
    """
    if sys.version_info >= (3, 14):
        loops = [one for one in gc.get_objects() if isinstance(one, asyncio.AbstractEventLoop) and not one.is_closed()]
        return [task for loop in loops for task in asyncio.all_tasks(loop)]
    listed = [getattr(asyncio.tasks, name, ()) for name in ("_all_tasks", "_scheduled_tasks", "_eager_tasks")]
    return [task for tasks in listed for task in list(tasks)]


def _children(parents, known):
    """Those of these processes, but for some that are known."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return []
    found = [_child(entry, parents) for entry in os.listdir("/proc") if entry.isdigit() and int(entry) not in known]
    return [hazard for hazard in found if hazard is not None]


def _child(pid, parents):
    try:
        with open("/proc/%s/stat" % pid, "rb") as stat:
            head, _, rest = stat.read().rpartition(b")")
    except OSError:
        return None
    state, parent = rest.split()[:2]
    if int(parent) not in parents or state == b"Z":
        return None
    name = head.partition(b"(")[2].decode("utf-8", "replace")
    return _hazard("process", "%s (%s)" % (name, pid), "it stays the original's alone")


def _of_descriptor(descriptor, circumstances):
    if descriptor.kind == "socket":
        return _connection(descriptor.fd) if not circumstances.is_half_of_a_pair(descriptor) else None
    if descriptor.kind == "pipe" and descriptor.place not in circumstances.pipes:
        return _hazard("pipe", "descriptor %d" % descriptor.fd, "it is closed in the copy")
    if descriptor.kind == "nameless" and descriptor.place not in circumstances.contents:
        return _hazard("file", descriptor.path, "it has no name by which the copy could open it, and is closed there")
    if descriptor.kind == "other":
        return _hazard("descriptor", descriptor.path, "it is closed in the copy")
    return None


def _connection(fd):
    duplicate = socket.socket(fileno=os.dup(fd))
    with duplicate:
        here, there = _address(duplicate.getsockname()), _address(_peer(duplicate))
        name = "%s -> %s" % (here, there or "nobody") if here or there else "descriptor %d" % fd
        return _hazard("connection", name, "it is closed in the copy")


def _peer(connection):
    try:
        return connection.getpeername()
    except OSError:
        return ""


def _address(address):
    if isinstance(address, tuple):
        return "%s:%d" % address[:2]
    return address.decode("utf-8", "replace") if isinstance(address, bytes) else address


def _shared_mappings(circumstances, own_files):
    return [
        _hazard("mapping", one.path, "original and copy go on writing to the same memory")
        for one in circumstances.mapped
        if one.writable and one.place not in circumstances.contents and not (own_files and one.path.startswith(_COPIED))
    ]


def _gpu(mapped):
    hazards = []
    torch = sys.modules.get("torch")
    if torch is not None and getattr(torch, "cuda", None) is not None and torch.cuda.is_initialized():
        hazards.append(_hazard("gpu", "torch.cuda", "its context does not work in the copy"))
    devices = {path for path in mapped if path.startswith(_GPU_DEVICES)}
    return hazards + [_hazard("gpu", device, "its context does not work in the copy") for device in sorted(devices)]
