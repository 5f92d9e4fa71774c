"""The keywords that several calls take, for whoever passes them on; `Husk` says what each means."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Mapping, Sequence, TypedDict, Union

if TYPE_CHECKING:
    from husk.live import Score
    from husk.sandbox import Sandbox

PathLike = Union[str, "os.PathLike[str]"]


class KernelOptions(TypedDict, total=False):
    """Of `Husk.get_or_create`."""

    cwd: PathLike | None
    env: Mapping[str, str] | None
    python: PathLike | None
    kernel: str | None
    tags: Mapping[str, str] | None
    startup_code: str | None
    idle_timeout: float | None
    backend: str | None
    profile: str | None
    sandbox: str | Sandbox | None
    live_state: bool | None
    limits: Mapping[str, int] | None


class NewKernelOptions(KernelOptions, total=False):
    """Of `Husk.create`."""

    session_name: str | None


class SandboxOptions(TypedDict, total=False):
    """Of `Husk.create_sandbox`."""

    profile: str | None
    backend: str | None
    network: bool | None
    allow: Sequence[str]
    deny: Sequence[str]
    dir: PathLike | None
    mounts: Sequence[str]
    env: Mapping[str, str] | None
    limits: Mapping[str, int] | None
    ports: Sequence[str]
    labels: Mapping[str, str] | None
    description: str | None
    ttl: int | None
    started: bool


class StreamOptions(TypedDict, total=False):
    """Of `Husk.stream`."""

    language: str
    timeout: float | None
    output_limit: int | None
    execution_id: str | None
    rollback: str | None
    preview: bool


class ExecuteOptions(StreamOptions, total=False):
    """Of `Husk.execute`."""

    images_dir: PathLike | None


class RetryOptions(TypedDict, total=False):
    """Of `Husk.execute_with_retry`."""

    max_attempts: int | None
    language: str
    timeout: float | None
    output_limit: int | None
    rollback: bool | str


class BestOfOptions(TypedDict, total=False):
    """Of `Husk.best_of`."""

    score: str | Score | None
    seeds: Sequence[int]
    deadline: float | None
    promote: bool
    proceed: bool


class CommandOptions(TypedDict, total=False):
    """Of `Sandbox.stream` and `Sandbox.detach`."""

    env: Mapping[str, str] | None
    cwd: str | None
    timeout: float | None


class InputOptions(CommandOptions, total=False):
    """Of `Sandbox.exec`."""

    input: bytes | str | None


class LineOptions(CommandOptions, total=False):
    """Of `Sandbox.begin`."""

    stdin: bool
    terminal: tuple[int, int] | None
    detached: bool
