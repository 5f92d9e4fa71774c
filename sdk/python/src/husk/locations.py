"""Where this user's Husk keeps its files and sockets.

Every client and the daemon come to the same answer from the same environment, and two different
homes never meet in one daemon.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping

from husk import folders
from husk.environment import first
from husk.errors import InvalidRequest

HOME = ("HUSK_HOME", "KERNELBOX_HOME", "AGENTKERNEL_HOME")
REGISTRY = ("HUSK_REGISTRY_PATH", "KERNELBOX_REGISTRY_PATH")
STORE = ("HUSK_STORE_BACKEND", "KERNELBOX_STORE_BACKEND")
RUNTIME = ("HUSK_RUNTIME_DIR", "KERNELBOX_RUNTIME_DIR")

DECISIVE = (*HOME, *REGISTRY, *STORE, *RUNTIME, "HOME", "XDG_RUNTIME_DIR")
"""The variables that decide which daemon is asked."""

_SHARED = Path("/tmp")

# A socket's path ends up in 108 bytes at most (sun_path); some room is left.
_LONGEST_SOCKET = 100
# The longest path below `sockets`: a kernel's folder, its id, a socket.
_BELOW = len("/k/") + 32 + len("/s-5")


@dataclass(frozen=True)
class Locations:
    home: Path
    registry: Path
    store: str
    runtime: Path
    sockets: Path
    guarded: tuple[Path, ...]
    """The folders that must belong to this user alone, outer ones first."""

    @property
    def socket(self) -> Path:
        return self.sockets / "daemon.sock"

    @property
    def log(self) -> Path:
        return self.runtime / "daemon.log"

    @property
    def start_lock(self) -> Path:
        return self.runtime / "start.lock"

    @property
    def lasting(self) -> bool:
        """Whether a later daemon knows what an earlier one began."""
        return self.store == "file"

    def prepare(self) -> None:
        """Makes the folders, and refuses those that are not this user's alone."""
        folders.create(self.home)
        for folder in self.guarded:
            folders.create(folder)
            folders.guard(folder)

    def guard(self) -> bool:
        """Whether every guarded folder is there; refuses those that are not this user's alone."""
        return all(folders.guard(folder) for folder in self.guarded)

    @classmethod
    def of(cls, environ: Mapping[str, str], shared: Path = _SHARED) -> Locations:
        standard = _absolute(environ.get("HOME", "").strip() or os.path.expanduser("~")) / ".husk"
        home = _path(environ, HOME, standard)
        registry = _path(environ, REGISTRY, home / "registry.db")
        store = _store(environ)
        own = shared / f"husk-{os.getuid()}"
        base = _base(environ, own)
        ordinary = home == standard and registry == home / "registry.db" and store == "file"
        nest = base if ordinary else base / _digest(f"{home}|{registry}|{store}")
        runtime = _path(environ, RUNTIME, nest)
        fits = len(os.fsencode(runtime)) + _BELOW <= _LONGEST_SOCKET
        sockets = runtime if fits else own / _digest(str(runtime))
        outer = [f for f in (base, own) if _within(runtime, f) or _within(sockets, f)]
        guarded = tuple(dict.fromkeys([*outer, runtime, sockets]))
        return cls(home, registry, store, runtime, sockets, guarded)


def make_absolute(environ: dict[str, str]) -> None:
    """Gives the variables that name paths absolute values, for a process that runs elsewhere."""
    for name in (*HOME, *REGISTRY, *RUNTIME):
        if environ.get(name, "").strip():
            environ[name] = str(_absolute(environ[name]))


def _base(environ: Mapping[str, str], own: Path) -> Path:
    given = environ.get("XDG_RUNTIME_DIR", "")
    if not given.startswith("/"):
        return own
    runtime = _absolute(given)
    return runtime / "husk" if folders.is_own(runtime) else own


def _store(environ: Mapping[str, str]) -> str:
    name, value = first(environ, *STORE) or ("", "file")
    if value not in ("file", "memory"):
        raise InvalidRequest(
            f"{name} is `{value}`, which is no way to keep the registry",
            ["use `file` (survives restarts) or `memory`"],
            "invalid_setting",
        )
    return value


def _path(environ: Mapping[str, str], names: tuple[str, ...], otherwise: Path) -> Path:
    found = first(environ, *names)
    return _absolute(found[1]) if found else otherwise


def _absolute(path: str) -> Path:
    # A path may begin with two slashes, which Python alone would keep.
    return Path("/" + os.path.abspath(path).lstrip("/"))


def _within(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents


def _digest(text: str) -> str:
    return hashlib.sha256(os.fsencode(text)).hexdigest()[:12]
