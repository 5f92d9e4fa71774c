"""Descriptors 1 and 2 as pipes that the kernel reads: what subprocesses and C code write."""

import array
import codecs
import fcntl
import os
import select
import termios

STDOUT, STDERR = 1, 2


class Capture:
    """Not thread safe: ``outlet`` calls it under its lock."""

    def __init__(self):
        self._pipes = {}
        self._writers = []
        self._ready = select.poll()
        for name, fd in (("stdout", STDOUT), ("stderr", STDERR)):
            reader, writer = os.pipe()
            os.set_blocking(reader, False)
            os.dup2(writer, fd, inheritable=True)
            # Kept open, so that user code closing descriptor 1 does not end the pipe for its other writers.
            self._writers.append(writer)
            self._pipes[name] = (reader, codecs.getincrementaldecoder("utf-8")("replace"))
            self._ready.register(reader, select.POLLIN)

    @property
    def readers(self):
        return [reader for reader, _ in self._pipes.values()]

    def has_data(self):
        return bool(self._ready.poll(0))

    def take(self, final=False):
        """What the pipes hold now, as (stream name, text); bounded, so that an endless writer cannot keep us here."""
        taken = []
        for name, (reader, decoder) in self._pipes.items():
            data = _read_available(reader)
            text = decoder.decode(data, final)
            if text:
                taken.append((name, text))
        return taken


def _read_available(fd):
    waiting = array.array("i", [0])
    fcntl.ioctl(fd, termios.FIONREAD, waiting)
    if not waiting[0]:
        return b""
    try:
        return os.read(fd, waiting[0])
    except BlockingIOError:
        return b""
