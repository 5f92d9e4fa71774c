"""Connections to SQLite's files. SQLite remembers which file it has opened by device and inode, and takes one whose inode
is another for one that was moved away, to which it does not write. A copy has its own file, and tells SQLite so.

SQLite has no call for it. The way to what it remembers is the same in all its versions since 2010, and every step is
checked against what is known: if anything is otherwise nothing is touched.
"""

import ctypes
import gc
import os
import sys

from . import log

_HEADER = b"SQLite format 3\0"
_FILE_POINTER = 7  # SQLITE_FCNTL_FILE_POINTER
_MOST_ATTACHED = 128


class _Identity(ctypes.Structure):
    """How ``unixInodeInfo`` begins."""

    _fields_ = [("device", ctypes.c_uint64), ("inode", ctypes.c_uint64)]


class _File(ctypes.Structure):
    """How ``unixFile`` begins; what is no file has no methods."""

    _fields_ = [
        ("methods", ctypes.c_void_p),
        ("system", ctypes.c_void_p),
        ("identity", ctypes.POINTER(_Identity)),
        ("fd", ctypes.c_int),
    ]


def recognize(opened):
    """In a copy, once its files are open again."""
    moved = {one.fd: one.place for one in opened if one.kind == "file" and _has_moved(one)}
    if not moved or "_sqlite3" not in sys.modules:
        return
    try:
        library = _library()
        for connection in _connections():
            for file in _files(library, connection):
                _tell(file, moved)
    except (AttributeError, OSError, ValueError) as error:
        log.write("databases may seem moved: %s" % error)


def _has_moved(descriptor):
    """Of those that may be databases. Not opened to look, because to close it would end its locks."""
    try:
        status = os.fstat(descriptor.fd)
        moved = (status.st_dev, status.st_ino) != descriptor.place
        return moved and os.pread(descriptor.fd, len(_HEADER), 0) in (b"", _HEADER)
    except OSError:
        return False


def _library():
    library = ctypes.PyDLL(getattr(sys.modules["_sqlite3"], "__file__", None))
    library.sqlite3_file_control.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int, ctypes.c_void_p]
    return library


def _connections():
    """Their handles, of those that are open."""
    kind = sys.modules["_sqlite3"].Connection
    for one in _objects():
        if issubclass(type(one), kind):
            handle = ctypes.c_void_p.from_address(id(one) + object.__basicsize__).value
            if handle:
                yield handle


def _objects():
    """Python 3.9 does not list connections: there those are found that are variables or attributes."""
    listed = gc.get_objects()
    if sys.version_info >= (3, 10):
        return listed
    return [value for one in listed if type(one) is dict for value in list(one.values())]


def _files(library, connection):
    for name in _names(library, connection):
        file = ctypes.POINTER(_File)()
        if library.sqlite3_file_control(connection, name, _FILE_POINTER, ctypes.byref(file)) == 0 and file:
            yield file.contents


def _names(library, connection):
    """Of its databases; older versions tell only the first."""
    try:
        name_of = library.sqlite3_db_name
    except AttributeError:
        return [b"main"]
    name_of.argtypes, name_of.restype = [ctypes.c_void_p, ctypes.c_int], ctypes.c_char_p
    names = (name_of(connection, number) for number in range(_MOST_ATTACHED))
    return [name for name in names if name is not None]


def _tell(file, moved):
    if not file.methods or file.fd not in moved or not file.identity:
        return
    known = file.identity.contents
    if (known.device, known.inode) == moved[file.fd]:
        status = os.fstat(file.fd)
        known.device, known.inode = status.st_dev, status.st_ino
