"""sys.stdout and sys.stderr of a kernel: text objects that write to the outlet."""

import codecs
import io
import sys

_FDS = {"stdout": 1, "stderr": 2}
_installed = []  # those of this process, or of the one that it is a copy of


class TextStream(io.TextIOBase):
    encoding = "utf-8"
    errors = "backslashreplace"
    newlines = None
    line_buffering = False
    mode = "w"

    def __init__(self, name, outlet):
        self.name = "<%s>" % name
        self._stream = name
        self._outlet = outlet
        self.buffer = ByteStream(name, outlet)

    def lead_to(self, outlet):
        self._outlet = self.buffer._outlet = outlet

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not %s" % type(text).__name__)
        if text:
            self._outlet.write(self._stream, text)
        return len(text)

    def flush(self):
        self._outlet.flush()

    def fileno(self):
        """The captured descriptor, so that subprocess and faulthandler can be given this object."""
        return _FDS[self._stream]

    def isatty(self):
        return False

    def writable(self):
        return True

    def reconfigure(self, **options):
        """Accepted for scripts that ask for line buffering or UTF-8: output is prompt and UTF-8 anyway."""

    def close(self):
        """A kernel's output outlives whoever closes it."""
        self.flush()


class ByteStream(io.BufferedIOBase):
    """What sys.stdout.buffer is: bytes join the same queue as text."""

    mode = "wb"

    def __init__(self, name, outlet):
        self.name = "<%s>" % name
        self._stream = name
        self._outlet = outlet
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data):
        data = bytes(data)
        text = self._decoder.decode(data)
        if text:
            self._outlet.write(self._stream, text)
        return len(data)

    def flush(self):
        self._outlet.flush()

    def fileno(self):
        return _FDS[self._stream]

    def writable(self):
        return True

    def close(self):
        self.flush()


def install(outlet):
    """Replaces sys.stdout and sys.stderr, and the objects that Python itself keeps for descriptors 1 and 2.

    In a copy those of its original go on: user code may hold them, or have put something of its own in their place.
    """
    if not _installed:
        sys.__stdout__, sys.__stderr__ = _unbuffered(1), _unbuffered(2)
        sys.stdout, sys.stderr = TextStream("stdout", outlet), TextStream("stderr", outlet)
        _installed.extend((sys.stdout, sys.stderr))
    for stream in _installed:
        stream.lead_to(outlet)


def _unbuffered(fd):
    raw = io.FileIO(fd, "w", closefd=False)
    return io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True)
