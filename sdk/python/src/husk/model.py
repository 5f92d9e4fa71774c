"""Kernels and results as callers see them: KernelBox's fields first, then Husk's."""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Mapping

from husk.brief import Brief
from husk.rich import Image, in_order, named, structured
from husk.state import Effects

DATA_RESOURCE = "application/vnd.dataresource+json"
CHART = "application/vnd.husk.chart+json"


def utc_now() -> str:
    return datetime.now(timezone.utc).isoformat()


def parse_timestamp(value: str) -> datetime:
    """Reads ISO 8601; the ``Z`` and the nanoseconds that Python 3.9 would refuse, too."""
    text = value[:-1] + "+00:00" if value.endswith("Z") else value
    head, dot, rest = text.partition(".")
    if dot:
        digits = len(rest) - len(rest.lstrip("0123456789"))
        text = f"{head}.{rest[:digits][:6].ljust(6, '0')}{rest[digits:]}"
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)


@dataclass
class Death:
    """Why a kernel's process ended."""

    cause: str
    exit_code: int | None = None
    signal: int | None = None
    detail: str = ""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Death:
        return cls(**_known(cls, data))


@dataclass
class KernelRecord:
    """What is known of a kernel. Give it to ``execute`` to mean this very kernel and no other."""

    kernel_id: str
    connection_file: str
    name: str | None = None
    created_at: str = field(default_factory=utc_now)
    last_used_at: str = field(default_factory=utc_now)
    status: str = "unknown"
    """``starting``, ``idle``, ``busy`` or ``dead``."""
    session_name: str | None = None
    attempt_count: int = 0
    tags: dict[str, str] = field(default_factory=dict)
    pid: int | None = None
    start_time: int | None = None
    backend: str = ""
    kernel: str = ""
    python: str | None = None
    cwd: str = ""
    environment: list[str] = field(default_factory=list)
    """The names of its environment variables."""
    memory: int | None = None
    idle_timeout: float = 0
    startup_error: str | None = None
    death: Death | None = None
    forked_from: str | None = None
    """The id of the kernel it is a copy of."""

    @property
    def age_seconds(self) -> float:
        return (datetime.now(timezone.utc) - parse_timestamp(self.created_at)).total_seconds()

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> KernelRecord:
        fields = _known(cls, data)
        if fields.get("death"):
            fields["death"] = Death.from_dict(fields["death"])
        return cls(**fields)


@dataclass
class KernelHealth:
    """How a kernel is."""

    kernel: KernelRecord
    alive: bool
    """Whether its process lives."""
    responsive: bool
    """Whether it reacts to its heartbeat, as a busy one does too."""


@dataclass(repr=False)
class ErrorInfo(Brief):
    """What executed code raised. The traceback never carries colour codes."""

    ename: str
    evalue: str
    traceback: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_content(cls, content: Mapping[str, Any]) -> ErrorInfo:
        return cls(
            str(content.get("ename", "")),
            str(content.get("evalue", "")),
            [str(line) for line in content.get("traceback") or ()],
        )


@dataclass(repr=False)
class OutputItem(Brief):
    """One output, in the order it came."""

    kind: str
    """``stream``, ``display_data``, ``execute_result`` or ``error``."""
    text: str | None = None
    name: str | None = None
    """``stdout`` or ``stderr``, for streams."""
    data: dict[str, Any] = field(default_factory=dict)
    """Every MIME type it came in; for errors the error's fields."""
    metadata: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> OutputItem:
        return cls(**_known(cls, data))


@dataclass(repr=False)
class AttemptSnapshot(Brief):
    """One attempt of a retrying execution, counted from 1."""

    attempt: int
    code: str
    status: str
    output: str = ""
    stderr: str = ""
    error: ErrorInfo | None = None

    def to_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AttemptSnapshot:
        fields = _known(cls, data)
        fields["error"] = _error(fields.get("error"))
        return cls(**fields)


@dataclass(repr=False)
class ExecutionResult(Brief):
    """What one execution gave."""

    status: str
    """``success``, ``error``, ``timeout``, ``cancelled``, ``died`` or ``max_attempts_exceeded``."""
    output: str = ""
    stderr: str = ""
    error: ErrorInfo | None = None
    """Why it failed; for a timeout or a death Husk says so here, but do not count on it."""
    return_value: str | None = None
    execution_count: int | None = None
    duration_ms: int = 0
    outputs: list[OutputItem] = field(default_factory=list)
    attempts: list[AttemptSnapshot] = field(default_factory=list)
    truncated: bool = False
    execution_id: str | None = None
    images: list[Image] = field(default_factory=list)
    exit_code: int | None = None
    """The exit code of a shell command."""
    truncated_fields: list[str] = field(default_factory=list)
    state_lost: bool = False
    """Whether the kernel had to be started afresh, so that earlier variables are gone."""
    death: Death | None = None
    rolled_back: bool = False
    """Whether kernel and files are as they were before it."""
    restored_from: str | None = None
    """The checkpoint that the kernel was brought back to before it, having died."""
    effects: Effects | None = None
    """What it did, if it was a preview."""

    @property
    def ok(self) -> bool:
        return self.status == "success"

    @property
    def text(self) -> str:
        """Everything it put out, in order: streams, displays, the value, the error.

        Where something was left out it says so; ``output_limit`` lets more through.
        """
        missing = {"output", "stderr", "outputs"}.intersection(self.truncated_fields)
        return in_order(self.outputs, self.error, bool(missing))

    @property
    def data_frames(self) -> list[Any]:
        """The tables it showed, as data: each with a ``schema`` and its rows in ``data``."""
        return structured(self.outputs, DATA_RESOURCE)

    @property
    def charts(self) -> list[Any]:
        """The charts it drew, as points: type, series and axes."""
        return structured(self.outputs, CHART)

    def save_images(self, folder: str | os.PathLike[str]) -> list[Path]:
        """Writes the pictures it drew into a folder, made if need be, and gives their paths."""
        place = Path(folder)
        place.mkdir(parents=True, exist_ok=True)
        stem = (self.execution_id or "image")[:12]
        return [image.save(place / f"{stem}-{n}") for n, image in enumerate(self.images, 1)]

    def with_images_in(self, folder: str | os.PathLike[str]) -> ExecutionResult:
        """The same with the pictures it drew in files, named where they were."""
        if self.images:
            for image, path in zip(self.images, self.save_images(folder)):
                image.path = str(path)
            named(self.outputs, self.images)
        return self

    def snapshot(self, attempt: int, code: str) -> AttemptSnapshot:
        return AttemptSnapshot(attempt, code, self.status, self.output, self.stderr, self.error)

    def to_dict(self) -> dict[str, Any]:
        fields = dataclasses.asdict(self)
        fields["images"] = [image.to_dict() for image in self.images]
        return fields

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ExecutionResult:
        fields = _known(cls, data)
        fields["error"] = _error(fields.get("error"))
        fields["death"] = Death.from_dict(fields["death"]) if fields.get("death") else None
        fields["outputs"] = [OutputItem.from_dict(o) for o in fields.get("outputs") or ()]
        fields["attempts"] = [AttemptSnapshot.from_dict(a) for a in fields.get("attempts") or ()]
        fields["images"] = [Image.from_dict(image) for image in fields.get("images") or ()]
        fields["effects"] = Effects.from_dict(fields["effects"]) if fields.get("effects") else None
        return cls(**fields)


def _error(content: Mapping[str, Any] | None) -> ErrorInfo | None:
    return ErrorInfo.from_content(content) if content else None


def _known(kind: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that are known here; a newer server may send others."""
    return {f.name: data[f.name] for f in dataclasses.fields(kind) if f.name in data}
