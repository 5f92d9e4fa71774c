"""The few things Linux offers that Python's standard library does not wrap."""

import ctypes
import os
import signal

_PR_SET_NAME = 15
_PR_SET_CHILD_SUBREAPER = 36
_libc = ctypes.CDLL(None, use_errno=True)


def flush_c_stdio():
    """Writes out what C code holds in its own stdio buffers."""
    _libc.fflush(None)


def name_process(name):
    _libc.prctl(_PR_SET_NAME, ctypes.c_char_p(name.encode()), 0, 0, 0)


def adopt_orphans():
    """Makes this process the parent of orphaned descendants, so that it can reap them."""
    if _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "PR_SET_CHILD_SUBREAPER")


def start_time(pid):
    """Field 22 of /proc/PID/stat: together with the pid it names a process for good."""
    return int(_stat(pid)[19])


def parent(pid):
    return int(_stat(pid)[1])


def _stat(pid):
    with open("/proc/%d/stat" % pid, "rb") as stat:
        # The command name may hold spaces and brackets, so count from its closing bracket.
        return stat.read().rpartition(b")")[2].split()


def thread_count():
    return len(os.listdir("/proc/self/task"))


def has_ended(pid):
    """Whether it is gone, or a zombie; one whose first thread has ended may run on in its others."""
    try:
        stat = _stat(pid)
        return stat[0] == b"Z" and int(stat[17]) <= 1
    except OSError:
        return True


def open_process(pid):
    """A descriptor that is readable when the process has ended; None when it is gone already."""
    try:
        return os.pidfd_open(pid)
    except ProcessLookupError:
        return None


def kill_if(pid, is_meant):
    """Ends a process if it is the one that is meant: numbers are given out again.

    It is held while it is looked at, so that nobody else can come to have its number meanwhile.
    """
    try:
        process = os.pidfd_open(pid)
    except OSError:
        return  # it has ended
    try:
        if is_meant():
            signal.pidfd_send_signal(process, signal.SIGKILL)
    except OSError:
        pass  # it has ended
    finally:
        os.close(process)


def kill(pid, started):
    """Ends the process that has this number and started then."""
    kill_if(pid, lambda: start_time(pid) == started)


def rate_for_killing(pid, score):
    """How readily the system ends this process, rather than another, when memory runs out: 0 (as others) to 1000."""
    try:
        with open("/proc/%d/oom_score_adj" % pid, "w") as file:
            file.write(str(score))
    except OSError:
        pass  # it has ended, or the system does not let us
