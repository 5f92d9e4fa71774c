"""What event loops wait with: epolls, counters of events and pairs of sockets. A copy gets its own, as they were."""

import array
import ctypes
import fcntl
import os
import re
import socket
import struct
import termios

from . import log

KINDS = {"anon_inode:[eventpoll]": "epoll", "anon_inode:[eventfd]": "counter"}
_WATCHED = re.compile(r"^tfd: *(\d+) events: *([0-9a-f]+) data: *([0-9a-f]+)", re.MULTILINE)
_COUNT = re.compile(r"eventfd-count: *([0-9a-f]+)")
_SEMAPHORE = "eventfd-semaphore: 1"
_EFD_SEMAPHORE = _EPOLL_CTL_ADD = 1
_libc = ctypes.CDLL(None, use_errno=True)


class _Event(ctypes.Structure):
    _pack_ = 1 if os.uname().machine == "x86_64" else 8
    _fields_ = [("events", ctypes.c_uint32), ("data", ctypes.c_uint64)]


def make_again(descriptor):
    """In a copy. None for what is neither an epoll nor a counter."""
    told = "\n".join(descriptor.told)
    if descriptor.kind == "epoll":
        return _required(_libc.epoll_create1(os.O_CLOEXEC))
    if descriptor.kind == "counter":
        flags = descriptor.flags & os.O_NONBLOCK | os.O_CLOEXEC | (_EFD_SEMAPHORE if _SEMAPHORE in told else 0)
        return _required(_libc.eventfd(int(_COUNT.search(told).group(1), 16), flags))
    return None


def _required(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def watch_again(opened):
    """In a copy, once there is again what epolls wait for."""
    for one in opened:
        for fd, events, data in _WATCHED.findall("\n".join(one.told)) if one.kind == "epoll" else ():
            event = _Event(int(events, 16), int(data, 16))
            try:
                _required(_libc.epoll_ctl(one.fd, _EPOLL_CTL_ADD, int(fd), ctypes.byref(event)))
            except OSError as error:
                log.write("descriptor %s is no longer waited for: %s" % (fd, error.strerror))


def pairs(opened):
    """(one end, the other, kind) of sockets that were made as a pair, with both ends here and nothing in between.

    Linux does not say which belong together, so one end is written to: only while nobody else can be listening.
    """
    ends = {one: _half(one.fd) for one in opened if one.kind == "socket"}
    ends = {one: end for one, end in ends.items() if end is not None}
    found = []
    try:
        while len(ends) > 1:
            one, end = ends.popitem()
            with end:
                other = _who_hears(end, ends)
                if other is not None:
                    found.append((one, other, end.type))
                    ends.pop(other).close()
    finally:
        for end in ends.values():
            end.close()
    return found


def _half(fd):
    end = socket.socket(fileno=os.dup(fd))
    if _is_half(end) and not _waiting_bytes(end):
        return end
    end.close()
    return None


def _is_half(end):
    try:
        maker = struct.unpack("iii", end.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        return maker == os.getpid() and end.family == socket.AF_UNIX and not end.getsockname() and not end.getpeername()
    except OSError:
        return False  # not connected


def is_nameless(fd):
    with socket.socket(fileno=os.dup(fd)) as end:
        return _is_half(end)


def _waiting_bytes(end):
    count = array.array("i", [0])
    fcntl.ioctl(end.fileno(), termios.FIONREAD, count)
    return count[0]


def _who_hears(end, others):
    try:
        end.send(b"?", socket.MSG_DONTWAIT | socket.MSG_NOSIGNAL)
    except OSError:
        return None
    for one, other in others.items():
        if _waiting_bytes(other):
            other.recv(1, socket.MSG_DONTWAIT)
            return one
    return None


def pair_again(found):
    """In a copy."""
    for one, other, kind in found:
        for end, was in zip(socket.socketpair(socket.AF_UNIX, kind), (one, other)):
            with end:
                end.setblocking(not was.flags & os.O_NONBLOCK)
                os.dup2(end.fileno(), was.fd, inheritable=not was.flags & os.O_CLOEXEC)
