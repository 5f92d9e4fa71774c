"""The porter of a kernel, as the kernel sees it: the process that can copy its memory (``guest/porter`` says how)."""

import ctypes
import hashlib
import os

LUGGAGE_MAX = 32

_library = None
_filters = []  # the system reads them whenever a copy is let loose, so they stay
settled = False  # whether this process has a porter


class _House(ctypes.Structure):
    _fields_ = [
        ("sandbox", ctypes.c_int),
        ("filter", ctypes.c_void_p),
        ("filter_length", ctypes.c_uint),
    ]


def load(path):
    """Called once, in the warm parent. Without the library kernels live, but cannot be copied."""
    global _library
    # Python's lock is kept while it runs: nobody else may move while memory is copied.
    _library = ctypes.PyDLL(path)
    _library.husk_ask_for_huge_pages()


def available():
    return _library is not None


def house(sandbox, filter_bytes):
    buffer = ctypes.create_string_buffer(filter_bytes, len(filter_bytes))
    _filters.append(buffer)
    return _House(sandbox, ctypes.addressof(buffer), len(filter_bytes) // 8)


def no_house():
    return _House(-1, None, 0)


def settle(place, orders, line):
    """Returns in the kernel's process; the caller's own becomes the porter. It must have one thread."""
    global settled
    error = _library.husk_settle(ctypes.byref(place), orders, line)
    if error:
        raise OSError(-error, os.strerror(-error))
    settled = True


def park(snapshot_id, seconds, above):
    """Lets the porter copy this process, whose other threads the copies will not have. ``above`` is a descriptor higher
    than all that are open: there copies find what they are given.

    True when it has, None when nobody asked it to in time. False in a copy, which has none of the descriptors.
    """
    outcome = _library.husk_park(ctypes.c_uint64(ticket(snapshot_id)), int(seconds * 1000), above)
    return {0: True, 1: False}.get(outcome)


def ticket(snapshot_id):
    """By which a porter knows for which snapshot its kernel has parked."""
    return int.from_bytes(hashlib.sha256(snapshot_id.encode()).digest()[:8], "little")


def luggage():
    """The descriptors that this copy was given, in their order."""
    descriptors = (ctypes.c_int * LUGGAGE_MAX)()
    return list(descriptors[: _library.husk_luggage(descriptors)])
