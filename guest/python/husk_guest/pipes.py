"""Pipes that nobody else has an end of, such as those of a program that has ended: a copy has its own, with their content."""

import array
import ctypes
import fcntl
import os
import select
import termios

from . import log

_MOST = 1 << 16  # bytes in one; as much as a pipe takes at once
_SPLICE_F_NONBLOCK = 2
_libc = ctypes.CDLL(None, use_errno=True)


def keep(opened, alone):
    """What is in them, by device and inode. ``alone`` says that no other process can have the end that writes."""
    places = {one.place for one in opened if one.kind == "pipe" and one.path.startswith("pipe:")}
    found = {place: _content([one for one in opened if one.place == place], alone) for place in places}
    return {place: content for place, content in found.items() if content is not None}


def _content(ends, alone):
    readers = [one.fd for one in ends if one.flags & os.O_ACCMODE == os.O_RDONLY]
    if not readers:
        return b"" if _is_left(ends[0].fd) else None
    if not _is_left(readers[0]) and not (alone and len(readers) < len(ends)):
        return None
    try:
        return _look_into(readers[0])
    except OSError:
        return None


def _is_left(end):
    """By all who had the other."""
    watch = select.poll()
    watch.register(end, 0)
    return any(events & (select.POLLHUP | select.POLLERR) for _, events in watch.poll(0))


def _look_into(reader):
    """Without taking anything out."""
    waiting = array.array("i", [0])
    fcntl.ioctl(reader, termios.FIONREAD, waiting)
    if waiting[0] == 0:
        return b""
    mine, into = os.pipe()
    with open(mine, "rb") as seen:
        with open(into, "wb"):
            copied = _libc.tee(reader, into, _MOST, _SPLICE_F_NONBLOCK)
        return seen.read() if copied == waiting[0] else None


def make_again(kept, opened):
    """In a copy."""
    for place, content in kept.items():
        reader, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            if content and os.write(writer, content) < len(content):
                log.write("a pipe lacks some of what was in it")
            for one in [one for one in opened if one.place == place]:
                reads = one.flags & os.O_ACCMODE == os.O_RDONLY
                os.dup2(reader if reads else writer, one.fd, inheritable=not one.flags & os.O_CLOEXEC)
                os.set_blocking(one.fd, not one.flags & os.O_NONBLOCK)
        finally:
            os.close(reader)
            os.close(writer)
