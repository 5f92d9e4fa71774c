"""Which environment variables leave this process. Everything else, secrets above all, stays."""

from __future__ import annotations

import os
from typing import Any, Mapping

_BOTH = {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TZ", "TERM", "TMPDIR"}
_JUPYTER = {"JUPYTER_PATH", "JUPYTER_DATA_DIR", "XDG_DATA_HOME"}
_DAEMON_ALONE = {
    "XDG_RUNTIME_DIR",
    "JAVA_HOME",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    *(name for proxy in ("http_proxy", "https_proxy", "no_proxy") for name in (proxy, proxy.upper())),
}
_PREFIXES = ("HUSK_", "KERNELBOX_", "AGENTKERNEL_")

_WAY_TO_A_SERVER = {"HUSK_URL", "HUSK_API_KEY", "HUSK_CA_FILE", "AGENTKERNEL_API_KEY"}
"""How this process reaches a server is no business of any daemon's; and a key is a secret."""

_TRAVELLING = (
    "EXECUTION_TIMEOUT",
    "OUTPUT_CHAR_LIMIT",
    "KERNEL_IDLE_TIMEOUT",
    "STARTUP_CODE",
    "KERNEL_TYPE",
    "INTERRUPT_GRACE",
)
"""The settings that mean the same on another machine."""


def for_daemon(environ: Mapping[str, str]) -> dict[str, str]:
    """What a started daemon inherits."""
    return {
        name: value
        for name, value in environ.items()
        if name in _BOTH
        or name in _DAEMON_ALONE
        or name in _JUPYTER
        or name.startswith(("LC_", "PIP_"))
        or is_setting(name)
    }


def of_caller(environ: Mapping[str, str], cwd: str | None) -> dict[str, Any]:
    """What the daemon is told of its caller, for the kernels and settings of one request."""
    told = {name: value for name, value in environ.items() if _is_text(value)}
    caller: dict[str, Any] = {
        "environment": {
            name: value
            for name, value in told.items()
            if name in _BOTH or name == "LANGUAGE" or name.startswith("LC_")
        },
        "variables": {
            name: value for name, value in told.items() if is_setting(name) or name in _JUPYTER
        },
    }
    if cwd is not None:
        caller["cwd"] = cwd
    return caller


def of_distant_caller(environ: Mapping[str, str]) -> dict[str, Any] | None:
    """What a server is told: nothing that only means something on this machine.

    None if that leaves nothing; then the server has its own directory and settings for the caller.
    """
    names = [prefix + key for prefix in ("HUSK_", "KERNELBOX_") for key in _TRAVELLING]
    settings = {name: environ[name] for name in names if name in environ}
    return {"environment": {}, "variables": settings} if settings else None


def is_setting(name: str) -> bool:
    if name == "OTEL_EXPORTER_OTLP_ENDPOINT":
        return True
    return name.startswith(_PREFIXES) and name not in _WAY_TO_A_SERVER


def first(environ: Mapping[str, str], *names: str) -> tuple[str, str] | None:
    """The first of these variables that says anything, and what it says."""
    return next(((n, environ[n]) for n in names if environ.get(n, "").strip()), None)


def working_directory() -> str | None:
    try:
        directory = os.getcwd()
    except FileNotFoundError:  # it was removed under this process's feet
        return None
    return directory if _is_text(directory) else None


def _is_text(value: str) -> bool:
    """Whether JSON can carry it: variables and paths may hold any bytes."""
    try:
        value.encode("utf-8")
        return True
    except UnicodeEncodeError:
        return False
