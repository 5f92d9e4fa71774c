"""What a copy of this process would not have, or would share with the original against all expectation.

Each is found beforehand and named, so that whoever asked for the copy can decide. A hazard has a kind, a name by which
the user knows it, and what would become of it.
"""

import asyncio
import gc
import os
import re
import socket
import sys
import threading

_GPU_DEVICES = ("/dev/nvidia", "/dev/kfd", "/dev/dri/render")
_MAPPED = re.compile(rb"^\S+ (\S+) \S+ \S+ \S+ +(/.*)$", re.MULTILINE)
_HARMLESS = ("/dev/zero", "/memfd:husk")
_SOCKET_FAMILIES = {socket.AF_INET, socket.AF_INET6}


def found(kernel, opened):
    """All of them, given the descriptors that user code has open."""
    hazards = _threads(kernel) + _tasks() + _children()
    for descriptor in opened:
        hazard = _of_descriptor(descriptor)
        if hazard is not None:
            hazards.append(hazard)
    mapped = _mapped_files()
    return hazards + _shared_mappings(mapped) + _gpu(mapped)


def _hazard(kind, name, fate):
    return {"kind": kind, "name": name, "fate": fate}


def _threads(kernel):
    ours = {threading.main_thread(), kernel.helper.thread}
    return [
        _hazard("thread", thread.name, "the copy does not have it")
        for thread in threading.enumerate()
        if thread not in ours and not getattr(thread, "husk_own", False)
    ]


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


def _children():
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return []
    me, hazards = str(os.getpid()), []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            hazards += _child(entry, me)
    return hazards


def _child(pid, me):
    try:
        with open("/proc/%s/stat" % pid, "rb") as stat:
            head, _, rest = stat.read().rpartition(b")")
    except OSError:
        return []
    state, parent = rest.split()[:2]
    if parent.decode() != me or state == b"Z":
        return []
    name = head.partition(b"(")[2].decode("utf-8", "replace")
    return [_hazard("process", "%s (%s)" % (name, pid), "it stays the original's alone")]


def _of_descriptor(descriptor):
    if descriptor.kind == "socket":
        return _connection(descriptor.fd)
    if descriptor.kind == "pipe":
        return _hazard("pipe", "descriptor %d" % descriptor.fd, "it is closed in the copy")
    if descriptor.kind == "nameless":
        return _hazard("file", descriptor.path, "it has no name by which the copy could open it, and is closed there")
    return None


def _connection(fd):
    duplicate = socket.socket(fileno=os.dup(fd))
    with duplicate:
        if duplicate.family not in _SOCKET_FAMILIES and not _peer(duplicate):
            return None  # half of a pair within this process, as event loops have
        name = "%s -> %s" % (_address(duplicate.getsockname()), _address(_peer(duplicate)) or "nobody")
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


def _mapped_files():
    """(whether what is written there is shared, path) of each."""
    with open("/proc/self/maps", "rb") as maps:
        found = _MAPPED.findall(maps.read())
    return [(rights[1:4:2] == b"ws", os.fsdecode(path)) for rights, path in found]


def _shared_mappings(mapped):
    return [
        _hazard("mapping", path, "original and copy go on writing to the same file")
        for shared, path in mapped
        if shared and not path.startswith(_HARMLESS) and "/lastwords" not in path
    ]


def _gpu(mapped):
    hazards = []
    torch = sys.modules.get("torch")
    if torch is not None and getattr(torch, "cuda", None) is not None and torch.cuda.is_initialized():
        hazards.append(_hazard("gpu", "torch.cuda", "its context does not work in the copy"))
    devices = {path for _, path in mapped if path.startswith(_GPU_DEVICES)}
    return hazards + [_hazard("gpu", device, "its context does not work in the copy") for device in sorted(devices)]
