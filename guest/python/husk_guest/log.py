"""The log of this process: internal errors only, never what user code prints."""

import os
import traceback
from datetime import datetime, timezone

_fd = 2


def open_file(path):
    """Opens a private log file for appending and makes it the log."""
    use(open_private(path))
    return _fd


def open_private(path):
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def use(fd):
    global _fd
    _fd = fd


def descriptor():
    return _fd


def write(text):
    stamp = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    line = "%s [%d] %s\n" % (stamp, os.getpid(), text)
    try:
        os.write(_fd, line.encode("utf-8", "backslashreplace"))
    except OSError:
        pass  # a full disk must not end a kernel


def failure(text):
    """Logs the exception being handled."""
    write(text + "\n" + traceback.format_exc())
