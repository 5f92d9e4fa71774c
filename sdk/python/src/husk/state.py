"""How states of kernels differ, and what a preview did."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping


@dataclass
class Variable:
    """What a variable looks like from outside."""

    type: str
    shape: list[int] | None = None
    """Of an array or a frame; of what has a length, that alone."""
    size: int | None = None
    """In bytes: what an array holds, else what Python says the object itself takes."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Variable:
        return cls(data["type"], data.get("shape"), data.get("size"))


@dataclass
class VariableChange:
    """A variable that is not what it was; one whose content changed may look as before."""

    name: str
    before: Variable | None = None
    """None if it was not there."""
    after: Variable | None = None
    """None if it is gone."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> VariableChange:
        before, after = data.get("before"), data.get("after")
        return cls(
            data["name"],
            Variable.from_dict(before) if before else None,
            Variable.from_dict(after) if after else None,
        )


@dataclass
class VariableChanges:
    """Variables that came, went, or are not what they were."""

    added: list[VariableChange] = field(default_factory=list)
    removed: list[VariableChange] = field(default_factory=list)
    changed: list[VariableChange] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.changed)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> VariableChanges:
        kinds = (data["added"], data["removed"], data["changed"])
        return cls(*([VariableChange.from_dict(change) for change in kind] for kind in kinds))


@dataclass
class FileChanges:
    """Files and folders that came, changed and went, by their paths inside."""

    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.deleted)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FileChanges:
        return cls(list(data["added"]), list(data["changed"]), list(data["deleted"]))


@dataclass
class StateDiff:
    """How a kernel differs from a checkpoint of its own, or from another kernel."""

    against: str
    """The checkpoint's label or id, or the other kernel's name or id."""
    variables: VariableChanges
    files: FileChanges | None
    """None where the kernel's files are not its own: without a sandbox, and in one that several share."""
    partial: bool = False
    """Whether something could not be looked at, or was more than is listed."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> StateDiff:
        return cls(
            data["against"],
            VariableChanges.from_dict(data["variables"]),
            FileChanges.from_dict(data["files"]) if data.get("files") else None,
            data["partial"],
        )


@dataclass
class StartedProcess:
    """A process that code started."""

    argv: list[str]
    """Its words; none for a plain fork of the kernel's process."""
    running: bool
    """Whether it still ran when the code had ended."""


@dataclass
class ContactedHost:
    """A place in the network that something in the sandbox wanted to reach."""

    host: str
    port: int
    allowed: bool
    """Whether the sandbox's rules let it; it may have failed all the same."""


@dataclass
class Effects:
    """What a previewed execution did. What could not be seen is None."""

    checkpoint: str | None = None
    """The label of the state before it, while it is open whether it stays."""
    variables: VariableChanges | None = None
    files: FileChanges | None = None
    processes: list[StartedProcess] | None = None
    hosts: list[ContactedHost] | None = None
    partial: bool = False

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Effects:
        variables, files = data.get("variables"), data.get("files")
        processes, hosts = data.get("processes"), data.get("hosts")
        return cls(
            data.get("checkpoint"),
            VariableChanges.from_dict(variables) if variables else None,
            FileChanges.from_dict(files) if files else None,
            None if processes is None else [StartedProcess(p["argv"], p["running"]) for p in processes],
            None if hosts is None else [ContactedHost(h["host"], h["port"], h["allowed"]) for h in hosts],
            bool(data.get("partial")),
        )
