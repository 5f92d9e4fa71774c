"""The settings, under KernelBox's names."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Callable, Mapping, TypeVar

from husk.environment import first
from husk.errors import InvalidRequest
from husk.locations import Locations

_T = TypeVar("_T", int, float)


def _registry_path() -> Path:
    return Locations.of(os.environ).registry


def _runtime_dir() -> Path:
    return Locations.of(os.environ).runtime


@dataclass(frozen=True)
class KernelBoxConfig:
    """Settings for a `Husk`; what is left out has Husk's defaults.

    Every field can also be set by a variable, ``HUSK_`` (or ``KERNELBOX_``) and its name in capitals.
    """

    max_retries: int = 5
    kernel_idle_timeout: int = 1800
    execution_timeout: float = 60.0
    output_char_limit: int = 10_000
    store_backend: str = "file"
    registry_path: Path = field(default_factory=_registry_path)
    runtime_dir: Path = field(default_factory=_runtime_dir)
    startup_code: str | None = None
    kernel_type: str = "husk"

    @classmethod
    def from_env(cls, environ: Mapping[str, str] | None = None) -> KernelBoxConfig:
        env = os.environ if environ is None else environ
        locations = Locations.of(env)
        return cls(
            max_retries=_number(env, "MAX_RETRIES", int, cls.max_retries),
            kernel_idle_timeout=_number(env, "KERNEL_IDLE_TIMEOUT", int, cls.kernel_idle_timeout),
            execution_timeout=_number(env, "EXECUTION_TIMEOUT", float, cls.execution_timeout),
            output_char_limit=_number(env, "OUTPUT_CHAR_LIMIT", int, cls.output_char_limit),
            store_backend=locations.store,
            registry_path=locations.registry,
            runtime_dir=locations.runtime,
            startup_code=_text(env, "STARTUP_CODE"),
            kernel_type=_text(env, "KERNEL_TYPE") or cls.kernel_type,
        )

    def variables(self) -> dict[str, str]:
        """The same as environment variables."""
        values = {f"HUSK_{name.upper()}": str(value) for name, value in vars(self).items()}
        values["HUSK_STARTUP_CODE"] = self.startup_code or ""
        return values


def _text(environ: Mapping[str, str], name: str) -> str | None:
    found = first(environ, f"HUSK_{name}", f"KERNELBOX_{name}")
    return found[1] if found else None


def _number(environ: Mapping[str, str], name: str, kind: Callable[[str], _T], default: _T) -> _T:
    found = first(environ, f"HUSK_{name}", f"KERNELBOX_{name}")
    if not found:
        return default
    try:
        return kind(found[1])
    except ValueError:
        raise InvalidRequest(
            f"{found[0]} is `{found[1]}`, which is not a number", code="invalid_setting"
        ) from None
