"""Makes and checks folders that belong to this user alone.

Some of them lie in the shared ``/tmp``, where anybody can make a folder of the expected name first, or
a link to elsewhere; such a folder is refused, never used.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from husk.errors import InvalidRequest


def is_own(folder: Path) -> bool:
    try:
        found = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid()


def create(folder: Path) -> None:
    """Makes a folder, and those above it, with mode 0700; leaves one that is there as it is."""
    try:
        if not folder.parent.is_dir():
            create(folder.parent)
        folder.mkdir(mode=0o700)
    except FileExistsError:
        if not folder.is_dir():
            raise _refused(folder, "it is not a folder") from None
    except OSError as error:
        raise _refused(folder, f"it cannot be made: {error}") from error


def guard(folder: Path) -> bool:
    """Refuses a folder that somebody else could look into or exchange. False if there is none."""
    try:
        found = os.lstat(folder)
    except FileNotFoundError:
        return False
    except OSError as error:
        raise _refused(folder, f"it cannot be examined: {error}") from error
    if stat.S_ISLNK(found.st_mode):
        raise _refused(folder, "it is a symbolic link")
    if not stat.S_ISDIR(found.st_mode):
        raise _refused(folder, "it is not a folder")
    if found.st_uid != os.getuid():
        raise _refused(folder, f"it belongs to user {found.st_uid}, this is user {os.getuid()}")
    if found.st_mode & 0o077 and not _closed(folder):
        raise _refused(folder, "other users have access to it, and its mode cannot be changed")
    return True


def _closed(folder: Path) -> bool:
    try:
        os.chmod(folder, 0o700)
        return not os.lstat(folder).st_mode & 0o077
    except OSError:
        return False


def _refused(folder: Path, why: str) -> InvalidRequest:
    return InvalidRequest(
        f"`{folder}` cannot hold Husk's sockets and files: {why}",
        ["remove it, or set HUSK_RUNTIME_DIR (or HUSK_HOME) to a folder of your own"],
        "invalid_setting",
    )
