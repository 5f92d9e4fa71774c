"""What a warm parent and the porters of its kernels say to each other, over Unix sockets that keep messages apart.

A word comes with the pid of whoever said it, as the system sees it from here: numbers inside a sandbox are others.
"""

import array
import contextlib
import os
import select
import socket
import struct
from collections import namedtuple

SNAPSHOT, LOOSE = b"s", b"l"
HELLO, BORN, ENDED, FAILED = b"h", b"b", b"e", b"f"

_SAID = struct.Struct("@c3xil")
_ORDER = struct.Struct("@cB6xQ")
_CREDENTIALS = struct.Struct("3i")
_BACKLOG = 16

Said = namedtuple("Said", "word number memory pid")


def pair():
    """(our end, the other's)."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
    return ours, theirs


@contextlib.contextmanager
def _short(path):
    """The same place by a path of a few characters: a socket's may have no more than 107."""
    folder, name = os.path.split(path)
    descriptor = os.open(folder, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield "/proc/self/fd/%d/%s" % (descriptor, name)
    finally:
        os.close(descriptor)


def listen(path):
    if os.path.exists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with _short(path) as near:
        listener.bind(near)
    listener.listen(_BACKLOG)
    return listener


def order(path, word, descriptors, ticket=0, groups=0):
    """Gives a porter an order; what it says comes back on the connection returned."""
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    try:
        line.setblocking(False)  # a porter that was taken over may not answer, and must not be waited for
        line.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        with _short(path) as near:
            line.connect(near)
        line.sendmsg([_ORDER.pack(word, groups, ticket)], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))])
        line.setblocking(True)
    except BaseException:
        line.close()
        raise
    return line


def readable(several, seconds):
    """Those of these lines that have something to say, or whose other end is gone, within this time."""
    poll = select.poll()
    for line in several:
        poll.register(line, select.POLLIN)
    by_number = {line.fileno(): line for line in several}
    return [by_number[fd] for fd, _ in poll.poll(max(0, seconds * 1000))]


def tell_birth(line):
    line.send(_SAID.pack(BORN, 0, 0))


def hear(line):
    """The next word, or None when nobody is left to say one. What is said is not to be trusted."""
    try:
        data, extras, _, _ = line.recvmsg(_SAID.size, socket.CMSG_SPACE(_CREDENTIALS.size))
    except (ConnectionError, InterruptedError):
        return None
    if len(data) != _SAID.size:
        return None
    for level, kind, value in extras:
        if level == socket.SOL_SOCKET and kind == socket.SCM_CREDENTIALS:
            return Said(*_SAID.unpack(data), _CREDENTIALS.unpack(value)[0])
    return None
