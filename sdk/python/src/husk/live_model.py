"""Copies of kernels and ways back, as callers see them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping

from husk.hazard import Hazard
from husk.model import ExecutionResult, KernelRecord


@dataclass
class Checkpoint:
    """A state of a kernel that it can be taken back to."""

    id: str
    label: str | None
    created_at: str
    files: bool
    """Whether the kernel's files were kept too."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Checkpoint:
        return cls(data["id"], data.get("label"), data["created_at"], data["files"])


@dataclass
class Variant:
    """One try and what came of it."""

    index: int
    code: str
    result: ExecutionResult
    seed: int | None = None
    score: float | None = None
    score_error: str | None = None
    """Why there is no score, if there should be one."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Variant:
        return cls(
            data["index"],
            data["code"],
            ExecutionResult.from_dict(data["result"]),
            data.get("seed"),
            data.get("score"),
            data.get("score_error"),
        )


@dataclass
class BestOf:
    """What came of trying several pieces of code from one state."""

    variants: list[Variant]
    winner: int | None
    """The index of the best; None when none succeeded, and the kernel is as it was."""
    promoted: bool = False
    hazards: list[Hazard] = field(default_factory=list)

    @property
    def best(self) -> Variant | None:
        """The try that won."""
        return None if self.winner is None else self.variants[self.winner]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> BestOf:
        return cls(
            [Variant.from_dict(variant) for variant in data["variants"]],
            data.get("winner"),
            data["promoted"],
            [Hazard.from_dict(hazard) for hazard in data["hazards"]],
        )


@dataclass
class Forked:
    """Copies of one moment."""

    kernels: list[KernelRecord]
    hazards: list[Hazard]
    """What they do not have of the original, if it was forked all the same."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Forked:
        return cls(
            [KernelRecord.from_dict(kernel) for kernel in data["kernels"]],
            [Hazard.from_dict(hazard) for hazard in data["hazards"]],
        )
