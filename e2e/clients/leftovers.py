"""What a server must not leave behind: processes, sockets, and files of its kernels."""

import os
import pathlib
import signal
import stat
import time

PROC = pathlib.Path("/proc")


def processes(place: pathlib.Path) -> dict:
    """The processes whose environment or arguments name the place, and their commands."""
    mark = os.fsencode(place) + b"/"
    found = {}
    for entry in PROC.iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            arguments = (entry / "cmdline").read_bytes()
            if mark in arguments or mark in (entry / "environ").read_bytes():
                if (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                    found[int(entry.name)] = arguments.replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return found


def sockets(place: pathlib.Path) -> list:
    return [str(path) for path in place.rglob("*") if stat.S_ISSOCK(path.lstat().st_mode)]


def after(place: pathlib.Path, seconds: float = 10) -> list:
    """What is still there when everything has had time to go; processes are ended, by their id."""
    deadline = time.monotonic() + seconds
    while processes(place) and time.monotonic() < deadline:
        time.sleep(0.1)
    left = processes(place)
    for pid in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return [*left.values(), *sockets(place)]


def end_of(log: pathlib.Path, lines: int = 15) -> str:
    try:
        return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
