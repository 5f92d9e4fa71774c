"""Memory that is shared with whoever else maps the same: a copy of the process must not go on sharing it.

A file that has a name is mapped anew in the copy, where it is the copy's own; of what has none the content is kept.
"""

import ctypes
import mmap
import os
import re

from . import log

_LINE = re.compile(
    rb"^([0-9a-f]+)-([0-9a-f]+) (r.)(.)s ([0-9a-f]+) ([0-9a-f]+):([0-9a-f]+) (\d+) *(.*)$", re.MULTILINE
)
_DEVICE_LINE = re.compile(rb" (/dev/.*)$", re.MULTILINE)
_GONE = " (deleted)"
_OURS = ("/memfd:husk-copy", "/usr/", "/lib")
_DEVICES = re.compile("/dev/(?!shm/)")
_MAP_FIXED, _MS_SYNC = 0x10, 4
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mmap.restype = ctypes.c_void_p
_libc.msync.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]


class Shared:
    """One that can be read."""

    def __init__(self, found):
        first, last, rights, execute, offset, major, minor, inode, path = found
        self.start, self.length = int(first, 16), int(last, 16) - int(first, 16)
        self.writable = rights[1:] == b"w"
        self.protection = mmap.PROT_READ | (self.writable and mmap.PROT_WRITE) | (execute == b"x" and mmap.PROT_EXEC)
        self.offset = int(offset, 16)
        self.place = os.makedev(int(major, 16), int(minor, 16)), int(inode)
        self.path = os.fsdecode(path)
        self.named = bool(path) and not self.path.endswith(_GONE) and not self.path.startswith("/memfd:")


def survey():
    """Those that are shared, and the devices that are mapped in whatever way."""
    with open("/proc/self/maps", "rb") as maps:
        all_of_them = maps.read()
    found = [Shared(one) for one in _LINE.findall(all_of_them)]
    shared = [one for one in found if not one.path.startswith(_OURS) and "/lastwords" not in one.path]
    return shared, {os.fsdecode(path) for path in _DEVICE_LINE.findall(all_of_them)}


def keep(found, contents):
    """The whole of each: parts of the same may be mapped in several places.

    Of a file that has a name, what was written goes to it now: only then does the file tell, by its time, that it was
    written to again.
    """
    for one in found:
        if one.named and one.writable:
            _libc.msync(one.start, one.length, _MS_SYNC)
        elif not one.named:
            pieces = [other for other in found if other.place == one.place]
            size = max(piece.offset + piece.length for piece in pieces)
            contents.keep(one.place, size, lambda: _content(pieces, size))


def _content(pieces, size):
    content = bytearray(size)
    for piece in pieces:
        content[piece.offset : piece.offset + piece.length] = ctypes.string_at(piece.start, piece.length)
    return content


def map_again(found, contents):
    """In a copy."""
    for one in found:
        path = one.path if one.named else contents[one.place].path() if one.place in contents else None
        if path is not None and not _DEVICES.match(path):
            try:
                _map(one, path)
            except OSError as error:
                log.write("%s is still shared: %s" % (one.path, error.strerror))


def _map(one, path):
    fd = os.open(path, (os.O_RDWR if one.writable else os.O_RDONLY) | os.O_CLOEXEC)
    try:
        where = _libc.mmap(one.start, one.length, one.protection, mmap.MAP_SHARED | _MAP_FIXED, fd, one.offset)
        if where != one.start:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    finally:
        os.close(fd)
