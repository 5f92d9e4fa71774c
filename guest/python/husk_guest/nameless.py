"""Memory and files that have no name by which a copy could find them: a temporary file, a deleted one, shared memory.

Their content is kept with the copy, which makes each anew.
"""

import fcntl
import os

MOST = 64 << 20  # bytes of all together; beyond that a copy would cost what nobody expects


class Content:
    """What was in one of them."""

    def __init__(self, data, above):
        self._data = data
        self._above = above
        self._fd = None

    def path(self):
        """In a copy: where it can be opened, as often as there are descriptors and mappings of it."""
        if self._fd is None:
            made = os.memfd_create("husk-user", os.MFD_CLOEXEC)
            self._fd = fcntl.fcntl(made, fcntl.F_DUPFD_CLOEXEC, self._above)
            os.close(made)
            left = memoryview(self._data)
            while left:
                left = left[os.write(self._fd, left) :]
        return "/proc/self/fd/%d" % self._fd

    def close(self):
        """Who has opened it keeps it."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
        self._data = None


class Contents(dict):
    """By device and inode. What is not in here was too much, or could not be read.

    Descriptors from ``above`` on are nobody's in a copy.
    """

    def __init__(self, above):
        super().__init__()
        self._above = above
        self._left = MOST

    def keep(self, place, length, read):
        if place in self or length > self._left:
            return
        try:
            self[place] = Content(read(), self._above)
            self._left -= length
        except OSError:
            pass  # it stays a hazard

    def close(self):
        for one in self.values():
            one.close()


def keep_files(opened, contents):
    for one in opened:
        if one.kind == "nameless":
            path = "/proc/self/fd/%d" % one.fd
            contents.keep(one.place, os.fstat(one.fd).st_size, lambda: _read(path))


def _read(path):
    with open(path, "rb") as file:
        return file.read()
