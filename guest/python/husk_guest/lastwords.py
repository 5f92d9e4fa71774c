"""The latest messages of the running cell, in a file that outlives the process.

A message handed to ZeroMQ is sent by another thread, a moment later; a process that is killed, crashes or calls
``os._exit`` in that moment takes it along. What is written to a shared mapping stays, whatever ends the process, and
costs a copy in memory. Whoever finds the kernel dead reads here what it said last.

Layout: a header (id of the request, bytes used, number of the first message kept, number of the next one) and then the
messages, each with its length in front. When there is no room it starts over: what is older has long been sent.
From ``SIZE`` on there is the text that is in no message yet (``unsent``).
"""

import mmap
import os
import struct

from .unsent import ROOM as UNSENT_ROOM
from .unsent import Unsent

SIZE = 256 * 1024
_HEADER = struct.Struct("<96sIQQ")
_LENGTH = struct.Struct("<I")
_ROOM = SIZE - _HEADER.size


def open_file(directory):
    return os.open(os.path.join(directory, "lastwords"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


class LastWords:
    def __init__(self, fd):
        """Takes the descriptor over, and closes it."""
        try:
            os.ftruncate(fd, SIZE + UNSENT_ROOM)
            self._map = mmap.mmap(fd, SIZE + UNSENT_ROOM)
        finally:
            os.close(fd)
        self.unsent = Unsent(memoryview(self._map)[SIZE:])
        self.begin("")

    def begin(self, msg_id):
        self._id = msg_id.encode("utf-8", "replace")[:96]
        self._used = 0
        self._first = 0
        self._next = 0
        self.unsent.begin()
        self._write_header()

    @property
    def next(self):
        """The number of the next message."""
        return self._next

    def add(self, msg_type, content):
        record = msg_type.encode() + b"\n" + content
        if len(record) + _LENGTH.size > _ROOM:
            record = b"oversized\n"  # counted, so that the numbers of the others stay right
        if self._used + _LENGTH.size + len(record) > _ROOM:
            self._used = 0
            self._first = self._next
            self._write_header()
        at = _HEADER.size + self._used
        self._map[at : at + _LENGTH.size] = _LENGTH.pack(len(record))
        self._map[at + _LENGTH.size : at + _LENGTH.size + len(record)] = record
        self._used += _LENGTH.size + len(record)
        self._next += 1
        self._write_header()  # last: a message is there once it is counted

    def _write_header(self):
        self._map[: _HEADER.size] = _HEADER.pack(self._id, self._used, self._first, self._next)


class NoLastWords:
    """For a kernel that has no directory of its own."""

    unsent = None
    next = 0

    def begin(self, msg_id):
        pass

    def add(self, msg_type, content):
        pass
