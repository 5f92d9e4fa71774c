"""Locks on files, which belong to a process or a descriptor: a copy takes them again on files of its own."""

import fcntl
import os
import struct

from . import log

_FOR_EVER = "EOF"


def take_again(descriptor):
    """In a copy. A file that both have in common stays locked by whoever has the lock."""
    for line in descriptor.told:
        if line.startswith("lock:"):
            try:
                _take(descriptor.fd, line.split())
            except (OSError, ValueError, IndexError) as error:
                log.write("a lock on %s was not taken again: %s" % (descriptor.path, error))


def _take(fd, words):
    """As in ``lock: 1: POSIX ADVISORY WRITE 1001 fe:00:13238657 3 7``."""
    kind, exclusive = words[2], words[4] == "WRITE"
    if kind == "FLOCK":
        fcntl.flock(fd, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
        return
    start, end = int(words[7]), words[8]
    length = 0 if end == _FOR_EVER else int(end) - start + 1
    command = fcntl.F_SETLK if kind == "POSIX" else fcntl.F_OFD_SETLK
    lock = fcntl.F_WRLCK if exclusive else fcntl.F_RDLCK
    fcntl.fcntl(fd, command, struct.pack("hhqqi", lock, os.SEEK_SET, start, length, 0))
