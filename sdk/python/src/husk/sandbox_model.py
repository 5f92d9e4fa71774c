"""Sandboxes, their commands and files as callers see them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import Any, Mapping


@dataclass
class SandboxInfo:
    """What is known of a sandbox."""

    name: str
    id: str
    status: str
    """``created``, ``starting``, ``running`` or ``stopped``."""
    backend: str = ""
    profile: str = ""
    network: bool = False
    created_at: str = ""
    last_used_at: str = ""
    expires_at: str | None = None
    labels: dict[str, str] = field(default_factory=dict)
    description: str | None = None
    pid: int = 0
    ports: list[dict[str, int]] = field(default_factory=list)
    """As published: ``host``, the port of the server's loopback, and ``inside``."""
    limits_held_by: dict[str, str] = field(default_factory=dict)
    workspace: str = ""
    """Its ``/workspace`` on the server."""
    spec: dict[str, Any] = field(default_factory=dict)
    """The specification in force."""

    @property
    def running(self) -> bool:
        return self.status == "running"

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SandboxInfo:
        return cls(**_known(cls, data))


@dataclass
class CommandEnd:
    """How a command ended, and what it used."""

    exit_code: int
    """As a shell tells it: 128 and the signal's number, 124 at a timeout."""
    reason: str = "exited"
    """``exited``, ``signalled``, ``timeout``, ``killed``, ``out_of_memory``, ``process_limit``,
    ``disk_limit`` or ``sandbox_ended``."""
    code: int | None = None
    signal: int | None = None
    wall_ms: int = 0
    user_ms: int = 0
    system_ms: int = 0
    max_rss_kb: int = 0
    dropped: int = 0
    """Bytes of a detached command's output that were not kept."""

    @property
    def ok(self) -> bool:
        return self.exit_code == 0

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CommandEnd:
        return cls(**_known(cls, data))


@dataclass
class Output:
    """A piece of what a command wrote."""

    stream: str
    """``stdout`` or ``stderr``."""
    data: bytes


@dataclass
class CommandResult:
    """What came of a command."""

    stdout_bytes: bytes
    stderr_bytes: bytes
    end: CommandEnd

    @property
    def stdout(self) -> str:
        return self.stdout_bytes.decode("utf-8", "replace")

    @property
    def stderr(self) -> str:
        return self.stderr_bytes.decode("utf-8", "replace")

    @property
    def exit_code(self) -> int:
        return self.end.exit_code

    @property
    def ok(self) -> bool:
        return self.end.ok


@dataclass
class CommandInfo:
    """A command as a sandbox lists it."""

    id: str
    command: list[str]
    status: str
    """``running``, ``completed`` or ``failed``."""
    pid: int = 0
    exit_code: int | None = None
    started_at: str = ""
    ended_at: str | None = None
    detached: bool = False

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CommandInfo:
        return cls(**_known(cls, data))


@dataclass
class FileInfo:
    """A file, folder or something else in a sandbox."""

    name: str
    type: str
    """``file``, ``directory``, ``symlink`` or ``other``."""
    size: int
    mode: int
    modified_at: str
    target: str | None = None
    """Where a symbolic link leads."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FileInfo:
        return cls(**{**_known(cls, data), "mode": int(data["mode"], 8)})


@dataclass
class SandboxEvent:
    """Something that happened to a sandbox, such as a refused connection."""

    at: str
    type: str
    details: dict[str, str] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> SandboxEvent:
        return cls(**_known(cls, data))


def _known(cls: Any, data: Mapping[str, Any]) -> dict[str, Any]:
    """A newer server may say more."""
    names = {f.name for f in dataclasses.fields(cls)}
    return {name: value for name, value in data.items() if name in names}
