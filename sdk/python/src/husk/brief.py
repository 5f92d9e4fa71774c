"""What results look like at a prompt: short, whatever they hold."""

from __future__ import annotations

import dataclasses
from typing import Any

_LONGEST = 200


class Brief:
    """A dataclass that shows only the fields that say something, and those within a limit."""

    def __repr__(self) -> str:
        shown = []
        for field in dataclasses.fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            if value != _default(field):
                shown.append(f"{field.name}={brief(value)}")
        return f"{type(self).__name__}({', '.join(shown)})"


def _default(field: dataclasses.Field[Any]) -> Any:
    if field.default_factory is not dataclasses.MISSING:
        return field.default_factory()
    return field.default


def brief(value: Any) -> str:
    """Its repr, or the beginning and the size of what is long."""
    if isinstance(value, (str, bytes)):
        unit = "characters" if isinstance(value, str) else "bytes"
        return repr(value) if len(value) <= _LONGEST else f"{value[:_LONGEST]!r}… ({len(value):,} {unit})"
    if isinstance(value, (list, tuple)):
        return _several([brief(one) for one in value], "[", "]")
    if isinstance(value, dict):
        return _several([f"{key!r}: {brief(one)}" for key, one in value.items()], "{", "}")
    return repr(value)


def _several(items: list[str], opening: str, closing: str) -> str:
    """As many as fit, and the first in any case."""
    fitting = 0
    for fitting, _ in enumerate(items, 1):
        if sum(map(len, items[:fitting])) > 3 * _LONGEST:
            break
    missing = len(items) - fitting
    return opening + ", ".join(items[:fitting] + ([f"… {missing} more"] if missing else [])) + closing
