"""The way to this user's daemon: connects to it, and starts it if there is none.

However many callers find no daemon at one moment, one of them starts it: the lock on ``start.lock`` is
held from before the last look until the new daemon answers. Other clients take the same lock.
"""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from typing import Iterator, Mapping

from husk import environment, installation
from husk.errors import DaemonUnavailable
from husk.locations import Locations, make_absolute

_LIMIT = 60.0
_PAUSE = 0.005
_LARGEST_LOG = 8 << 20
_SHOWN_LINES = 12


class _Turns:
    """File locks belong to the process; its threads take turns here. A forked child starts anew."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        os.register_at_fork(after_in_child=self._renew)

    def _renew(self) -> None:
        self.lock = threading.Lock()


_turns = _Turns()


class DaemonDoor:
    def __init__(self, locations: Locations, environ: Mapping[str, str]) -> None:
        self.locations = locations
        self._environ = environ

    def connect(self) -> socket.socket | None:
        """A connection to the daemon, or None if none is running."""
        return self._knock() if self.locations.guard() else None

    def connect_or_start(self) -> socket.socket:
        return self.connect() or self._start()

    def _start(self) -> socket.socket:
        self.locations.prepare()
        with _turns.lock, _locked(self.locations.start_lock):
            return self._knock() or self._run()

    def _knock(self) -> socket.socket | None:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            line.connect(str(self.locations.socket))
            return line
        except (FileNotFoundError, ConnectionRefusedError):
            line.close()
            return None
        except BaseException:
            line.close()
            raise

    def _run(self) -> socket.socket:
        program = installation.daemon_program(self._environ)
        logged = _rotate(self.locations.log)
        daemon = _Spawned(program, self.locations.log, self._environ)
        deadline = time.monotonic() + _LIMIT
        while True:
            ended = daemon.exit_code()
            line = self._knock()
            if line is not None:
                return line
            if ended is not None:
                raise self._failed(f"the daemon ended with code {ended} at its start", logged)
            if time.monotonic() > deadline:
                daemon.terminate()
                raise self._failed("the daemon did not answer within 60 seconds", logged)
            time.sleep(_PAUSE)

    def _failed(self, message: str, logged: int) -> DaemonUnavailable:
        printed = _tail(self.locations.log, logged)
        return DaemonUnavailable(
            f"{message}; it printed:\n{printed}" if printed else message,
            [f"its log is `{self.locations.log}`", "`husk daemon run` runs it in the foreground"],
        )


class _Spawned:
    """The daemon's process, in a session of its own, so that it outlives this process."""

    _left: list[_Spawned] = []
    """Those started before. If one has ended meanwhile it waits to be reaped."""

    def __init__(self, program: Path, log: Path, environ: Mapping[str, str]) -> None:
        for earlier in list(_Spawned._left):
            if earlier.exit_code() is not None:
                _Spawned._left.remove(earlier)
        inherited = environment.for_daemon(environ)
        make_absolute(inherited)
        appended = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        self._ended: int | None = None
        self._pid = os.posix_spawn(
            "/bin/sh",
            ["sh", "-c", 'cd / && exec "$0"', str(program)],
            inherited,
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, "/dev/null", os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, str(log), appended, 0o600),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setsid=True,
            setsigmask=[],
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT],
        )
        _Spawned._left.append(self)

    def exit_code(self) -> int | None:
        """None while it runs, or when somebody else has reaped it."""
        if self._ended is None:
            try:
                pid, status = os.waitpid(self._pid, os.WNOHANG)
            except ChildProcessError:
                return None
            if pid:
                self._ended = _exit_code(status)
        return self._ended

    def terminate(self) -> None:
        if self.exit_code() is None:
            os.kill(self._pid, signal.SIGTERM)


def _exit_code(status: int) -> int:
    return os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    # Not flock: the lock must be of the kind that other clients see, and they use POSIX's.
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.lockf(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _rotate(log: Path) -> int:
    """Puts a long log aside; gives the length of the one that will be written to."""
    try:
        size = log.stat().st_size
    except FileNotFoundError:
        return 0
    if size <= _LARGEST_LOG:
        return size
    log.replace(log.with_name("daemon.log.1"))
    return 0


def _tail(log: Path, start: int) -> str:
    """The last lines printed since the start."""
    try:
        with log.open("rb") as file:
            file.seek(max(start, log.stat().st_size - 8192))
            text = file.read().decode("utf-8", "replace").strip()
    except OSError:
        return ""
    return "\n".join(text.splitlines()[-_SHOWN_LINES:])
