"""Looks at values in a copy of this process that lives as long as the look.

Whatever code of the user's does there to memory, prints or raises, and should it never return, the kernel is none the
wiser; a value is then told without what it would not give.
"""

import gc
import json
import os
import select
import signal
import sys
import time
import warnings

from . import describing, linux, log

_STALLED = 1 / 8  # of the time for all values, in which one that is looked at must get on
_GRACE = 1.0


class Patience:
    """How long a look may take. A value that gets on may take half of what is left, one that does not far less."""

    def __init__(self, seconds):
        self._deadline = time.monotonic() + seconds
        self.stalled = max(0.1, seconds * _STALLED)

    def left(self):
        return self._deadline - time.monotonic()

    def share(self):
        return max(self.stalled, self.left() / 2)


def look(values, first, told, patience):
    """Looks at the values from ``first`` on; how many there are when all went well, else the number of the one that did
    not."""
    reader, writer = os.pipe()
    try:
        with _ChildOfOurs() as child:
            if child.pid == 0:
                _be_the_copy(values, first, writer, patience)
            os.close(writer)
            writer = None
            return _collect(_Lines(reader), len(values), first, told, patience)
    finally:
        os.close(reader)
        if writer is not None:
            os.close(writer)


def _collect(lines, count, first, told, patience):
    number = first
    while number < count:
        line = lines.next(patience.stalled + _GRACE)
        if line is None or patience.left() < -_GRACE:
            return number
        if line:  # an empty one says that it gets on
            described = describing.read(line)
            if described is None:
                return number
            told[number].update(described)
            number += 1
    return count


class _Lines:
    def __init__(self, fd):
        self._fd = fd
        self._read = b""

    def next(self, seconds):
        """None when there is none in this time, or will never be one."""
        while b"\n" not in self._read:
            if not select.select([self._fd], [], [], seconds)[0]:
                return None
            piece = os.read(self._fd, 1 << 16)
            if not piece or len(self._read) > 1 << 20:
                return None
            self._read += piece
        line, _, self._read = self._read.partition(b"\n")
        return line


class _ChildOfOurs:
    """A copy of this process. It is gone at the end, and who waits for children of the user's hears nothing of it."""

    def __enter__(self):
        self._mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that there are other threads
                self.pid = os.fork()
        except BaseException:
            self._unblock()
            raise
        return self

    def __exit__(self, *exception):
        try:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass  # somebody waits for all children
        self._unblock()

    def _unblock(self):
        if signal.SIGCHLD not in self._mask:
            heard = signal.sigtimedwait({signal.SIGCHLD}, 0)
            if heard is not None and heard.si_pid != getattr(self, "pid", 0):
                os.kill(os.getpid(), signal.SIGCHLD)
        signal.pthread_sigmask(signal.SIG_SETMASK, self._mask)


# --- inside the copy


def _be_the_copy(values, first, writer, patience):
    try:
        gc.disable()  # finalizers belong to the original
        linux.rate_for_killing(os.getpid(), 1000)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGALRM, _ring)
        _close_ears_and_mouth()
        for value in values[first:]:
            os.write(writer, json.dumps(describing.describe(value, _Progress(writer, patience))).encode() + b"\n")
    except BaseException:
        log.failure("looking at variables")
    finally:
        os._exit(0)


def _ring(signum, frame):
    raise describing.TooLong


def _close_ears_and_mouth():
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    sys.stdout = sys.stderr = open(os.devnull, "w")


class _Progress:
    """Winds the alarm, again and again while a value gets on, until it has had its share."""

    def __init__(self, writer, patience):
        self._writer = writer
        self._stalled = patience.stalled
        self._end = time.monotonic() + patience.share()

    def __call__(self):
        if time.monotonic() > self._end:
            raise describing.TooLong
        os.write(self._writer, b"\n")
        signal.setitimer(signal.ITIMER_REAL, self._stalled)
