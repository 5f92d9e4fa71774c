"""The descriptors that user code has open: what they are, and how a copy of the process gets its own.

A copy starts with none. A file is opened again at the same place, under the same number, with an offset of its own.
What cannot be had again (a connection, a pipe, a file without a name) is replaced by something that is closed, so
that whoever still holds the number gets an error and, above all, closes nothing else when it lets go of it.
"""

import os
import stat
from collections import namedtuple

from . import log

_NOT_AGAIN = os.O_CREAT | os.O_EXCL | os.O_TRUNC

Open = namedtuple("Open", "fd kind path flags offset")


def numbers():
    """Every descriptor that is open now."""
    # The list holds the descriptor that it was read by, which is closed again.
    return {int(name) for name in os.listdir("/proc/self/fd") if _is_open(int(name))}


def _is_open(fd):
    try:
        os.fstat(fd)
        return True
    except OSError:
        return False


def survey(among):
    """What they are."""
    found = []
    for fd in sorted(among):
        try:
            found.append(_describe(fd))
        except OSError:
            pass  # closed meanwhile
    return found


def _describe(fd):
    status = os.fstat(fd)
    path = os.readlink("/proc/self/fd/%d" % fd)
    info = dict(line.split(":", 1) for line in _read("/proc/self/fdinfo/%d" % fd).splitlines() if ":" in line)
    return Open(fd, _kind(status, path), path, int(info["flags"], 8), int(info["pos"]))


def _kind(status, path):
    if stat.S_ISSOCK(status.st_mode):
        return "socket"
    if stat.S_ISFIFO(status.st_mode):
        return "pipe"
    if not path.startswith("/"):
        return "other"  # an epoll, a timer
    try:
        same = os.path.samestat(status, os.stat(path))
    except OSError:
        same = False
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return "file" if same else "nameless"
    return "device" if same else "other"


def _read(path):
    with open(path) as file:
        return file.read()


def restore(descriptors):
    """In a copy: the same numbers, each with what it had, or with something closed."""
    for descriptor in descriptors:
        fd = _reopen(descriptor) if descriptor.kind in ("file", "device") else None
        if fd is None:
            fd = _closed()
        if fd != descriptor.fd:
            os.dup2(fd, descriptor.fd, inheritable=not descriptor.flags & os.O_CLOEXEC)
            os.close(fd)


def _reopen(descriptor):
    try:
        fd = os.open(descriptor.path, descriptor.flags & ~_NOT_AGAIN | os.O_CLOEXEC)
    except OSError as error:
        log.write("%s could not be opened again: %s" % (descriptor.path, error.strerror))
        return None
    try:
        os.lseek(fd, descriptor.offset, os.SEEK_SET)
    except OSError:
        pass  # a device
    return fd


def _closed():
    """Something that can neither be read nor written, only closed."""
    return os.open(os.devnull, os.O_PATH | os.O_CLOEXEC)
