"""Where Husk is installed: where ``HUSK_DIST`` says, or where the ``husk`` on the path belongs to."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Mapping

from husk.errors import DaemonUnavailable


def find(environ: Mapping[str, str]) -> Path | None:
    named = environ.get("HUSK_DIST", "").strip()
    if named:
        return Path(named).absolute()
    program = shutil.which("husk", path=environ.get("PATH", os.defpath))
    return _belongs_to(Path(program)) if program else None


def daemon_program(environ: Mapping[str, str]) -> Path:
    """The daemon's launcher."""
    dist = find(environ)
    if dist is None:
        raise DaemonUnavailable(
            "no daemon is running, and it is not known where Husk is installed",
            [
                "set HUSK_DIST to the installation's folder, or have its `husk` on the PATH",
                "to use a server elsewhere, set HUSK_URL (and HUSK_API_KEY)",
            ],
        )
    program = dist / "bin" / "husk-daemon"
    if not os.access(program, os.X_OK):
        raise DaemonUnavailable(
            f"no daemon is running, and it cannot be started: `{program}` is not a program",
            ["install Husk again, or set HUSK_DIST to the installation's folder"],
        )
    return program


def _belongs_to(program: Path) -> Path | None:
    """From ``DIST/bin/husk``, or from a checkout's ``husk``."""
    folder = Path(os.path.realpath(program)).parent
    for dist in (folder.parent, folder / "app" / "target" / "husk"):
        if os.access(dist / "bin" / "husk-daemon", os.X_OK):
            return dist
    return None
