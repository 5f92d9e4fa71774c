"""What stands in the way of a copy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping


@dataclass
class Hazard:
    """Something that a copy of a kernel does not have, or shares with the original."""

    kind: str
    """``thread``, ``task``, ``process``, ``connection``, ``pipe``, ``file``, ``mapping`` or ``gpu``."""
    name: str
    """What its user knows it by."""
    fate: str
    """What becomes of it in the copy."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Hazard:
        return cls(data["kind"], data["name"], data["fate"])
