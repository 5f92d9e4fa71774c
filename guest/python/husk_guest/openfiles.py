"""The descriptors that user code has open: what they are, and how a copy of the process gets its own.

A copy starts with none. At first their numbers are held by nothing in particular, because libraries close theirs as soon
as they find themselves copied. Then a file is opened again at the same place, under the same number, with an offset of its
own; what is in memory alone is made anew with the same content (``nameless``, ``waiting``). What cannot be had again (a
connection, a terminal) is replaced by something that is closed, so that whoever still holds the number gets an error and,
above all, closes nothing else when it lets go of it.
"""

import fcntl
import os
import stat
from collections import namedtuple

from . import filelocks, log, nameless, waiting

_NOT_AGAIN = os.O_CREAT | os.O_EXCL | os.O_TRUNC | os.O_TMPFILE | os.O_NOFOLLOW
_TERMINALS = ("/dev/pts/", "/dev/ptmx")

# ``place`` is device and inode, ``told`` the lines that /proc has of it beyond those that all have.
Open = namedtuple("Open", "fd kind path flags offset place told")


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
    lines = _read("/proc/self/fdinfo/%d" % fd).splitlines()
    info = dict(line.split(":", 1) for line in lines[:4] if ":" in line)
    place = status.st_dev, status.st_ino
    return Open(fd, _kind(status, path), path, int(info["flags"], 8), int(info["pos"]), place, tuple(lines[4:]))


def _kind(status, path):
    if stat.S_ISSOCK(status.st_mode):
        return "socket"
    if stat.S_ISFIFO(status.st_mode):
        return "pipe"
    if not path.startswith("/"):
        return waiting.KINDS.get(path, "other")
    try:
        same = os.path.samestat(status, os.stat(path))
    except OSError:
        same = False
    if stat.S_ISREG(status.st_mode):
        return "file" if same else "nameless"
    if stat.S_ISDIR(status.st_mode):
        return "file" if same else "other"
    return "device" if same and not path.startswith(_TERMINALS) else "other"


def _read(path):
    with open(path) as file:
        return file.read()


def shared_offsets(opened):
    """By descriptor, an earlier one of which it is a duplicate: what one of them reads the other has read too."""
    found, seen = {}, {}
    for one in opened:
        if one.kind in ("file", "nameless"):
            for earlier in seen.setdefault((one.place, one.flags & ~os.O_CLOEXEC, one.offset), []):
                if _move_together(earlier, one.fd, one.offset):
                    found[one.fd] = earlier
                    break
            else:
                seen[one.place, one.flags & ~os.O_CLOEXEC, one.offset].append(one.fd)
    return found


def _move_together(first, second, offset):
    try:
        os.lseek(first, offset + 1, os.SEEK_SET)
        together = os.lseek(second, 0, os.SEEK_CUR) == offset + 1
        os.lseek(first, offset, os.SEEK_SET)
        return together
    except OSError:
        return False


def hold(numbers, above):
    """In a copy, before anything else runs there. Descriptors from ``above`` on are not its user's."""
    lowest = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
    source = fcntl.fcntl(lowest, fcntl.F_DUPFD_CLOEXEC, above)
    os.close(lowest)
    for number in numbers:
        os.dup2(source, number, inheritable=False)
    os.close(source)


def still_held(descriptors):
    """Without those that were closed since, whose numbers may be others' by now."""
    holder = os.stat(os.devnull)
    return [one for one in descriptors if _is_open(one.fd) and os.path.samestat(os.fstat(one.fd), holder)]


def restore(descriptors, duplicates, contents):
    """In a copy: the same numbers, each with what it had, or with something closed."""
    restored = set()
    for descriptor in descriptors:
        first = duplicates.get(descriptor.fd)
        fd = os.dup(first) if first in restored else _again(descriptor, contents)
        if fd is None:
            fd = os.open(os.devnull, os.O_PATH | os.O_CLOEXEC)  # can neither be read nor written, only closed
        os.dup2(fd, descriptor.fd, inheritable=not descriptor.flags & os.O_CLOEXEC)
        os.close(fd)
        restored.add(descriptor.fd)
        filelocks.take_again(descriptor)


def _again(descriptor, contents):
    try:
        if descriptor.kind in ("file", "device"):
            return _reopen(descriptor, descriptor.path)
        if descriptor.kind == "nameless" and descriptor.place in contents:
            return _reopen(descriptor, contents[descriptor.place].path())
        return waiting.make_again(descriptor)
    except OSError as error:
        log.write("%s could not be opened again: %s" % (descriptor.path, error.strerror))
        return None


def _reopen(descriptor, path):
    fd = os.open(path, descriptor.flags & ~_NOT_AGAIN | os.O_CLOEXEC)
    try:
        os.lseek(fd, descriptor.offset, os.SEEK_SET)
    except OSError:
        pass  # a device
    return fd
