"""One sandbox: an isolated place with files, processes, a network and limits of its own."""

from __future__ import annotations

import os
from typing import Any, Iterator, Mapping, Sequence

from husk.commands import Event, Forward, RunningCommand, exec_body
from husk.connections import Connections
from husk.errors import SandboxNotFound
from husk.paths import query, sandbox_path, segment
from husk.sandbox_files import SandboxFiles
from husk.sandbox_model import (
    CommandInfo,
    CommandResult,
    SandboxEvent,
    SandboxInfo,
)

_LONGEST_WAIT = 30


class Sandbox:
    """A sandbox by its name. What happens to a command is a result, never an exception.

    In a ``with`` block, one that was made without a name is removed at the end; any other stays.
    """

    def __init__(self, connections: Connections, name: str, temporary: bool = False) -> None:
        self._connections = connections
        self._temporary = temporary
        self._path = sandbox_path(name)
        self.name = name
        self.files = SandboxFiles(connections, self._path)

    def __repr__(self) -> str:
        return f"Sandbox({self.name!r})"

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        if self._temporary:
            self.remove()

    # Commands

    def exec(
        self,
        command: Sequence[str],
        *,
        input: bytes | str | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> CommandResult:
        """Runs a command and waits for its end. Ctrl-C ends it.

        Args:
            command: The program and its arguments; no shell reads them.
            input: Its standard input; default none.
            env: Variables beside those of the sandbox.
            cwd: Where it starts; default ``/workspace``.
            timeout: Seconds it may run before it is ended with all it started.
        """
        line = self.begin(command, env=env, cwd=cwd, timeout=timeout, stdin=input is not None)
        with line:
            if input is not None:
                line.feed(input.encode() if isinstance(input, str) else input)
            return line.collect()

    def stream(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[Event]:
        """Runs a command and gives `Output` as it comes, `CommandEnd` last; leaving the loop ends it."""
        with self.begin(command, env=env, cwd=cwd, timeout=timeout) as line:
            yield from line

    def begin(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
        stdin: bool = False,
        terminal: tuple[int, int] | None = None,
        detached: bool = False,
    ) -> RunningCommand:
        """Begins a command, to be read from and written to.

        Args:
            stdin: Whether it gets input by `RunningCommand.write`.
            terminal: Rows and columns of a terminal to run it on; its streams are one then.
            detached: Whether it goes on when the line is closed.
        """
        body = exec_body(command, env=env, cwd=cwd, timeout=timeout, terminal=terminal)
        body.update(open_stdin=stdin or terminal is not None, detached=detached)
        return RunningCommand(self._connections, self._path, "POST", "/exec", body)

    def detach(
        self,
        command: Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> CommandInfo:
        """Begins a command that goes on by itself; the newest of its output is kept."""
        body = exec_body(command, env=env, cwd=cwd, timeout=timeout)
        answer = self._connections.ask_once("POST", f"{self._path}/exec/detach", body)
        return CommandInfo.from_dict(answer)

    def attach(self, command_id: str) -> RunningCommand:
        """What is kept of a command's output, and then the rest until it ends."""
        path = f"/exec/detached/{segment(command_id)}/logs"
        return RunningCommand(self._connections, self._path, "GET", path)

    def logs(self, command_id: str) -> CommandResult:
        """What is kept of a command's output; it may still run."""
        path = f"/exec/detached/{segment(command_id)}/logs?follow=false"
        with RunningCommand(self._connections, self._path, "GET", path) as line:
            return line.collect()

    def commands(self) -> list[CommandInfo]:
        """Those that run, and the last that have ended."""
        answer = self._connections.ask("GET", f"{self._path}/exec/detached?all=1")
        return [CommandInfo.from_dict(command) for command in answer["commands"]]

    def kill(self, command_id: str, signal: int | str = "TERM") -> None:
        """Signals a command and all it started."""
        what = f"/exec/detached/{segment(command_id)}{query(signal=str(signal))}"
        self._connections.ask_once("DELETE", self._path + what)

    # Files, ports and use

    def copy_in(self, source: str | os.PathLike[str], target: str) -> None:
        """Copies a file or folder of this machine to a path inside."""
        self.files.copy_in(source, target)

    def copy_out(self, source: str, target: str | os.PathLike[str]) -> None:
        """Copies a file or folder from inside to a path of this machine."""
        self.files.copy_out(source, target)

    def connect(self, port: int) -> Forward:
        """A connection to a port inside."""
        return Forward(self._connections, f"{self._path}/ports/{int(port)}")

    def usage(self) -> dict[str, int]:
        """``processes``, ``memory_kb``, ``cpu_ms`` and ``workspace_bytes``."""
        return dict(self._connections.ask("GET", f"{self._path}/usage"))

    # Its life

    def info(self) -> SandboxInfo:
        """What is true of it now, with the specification in force."""
        return self._asked("GET", "")

    def start(self) -> SandboxInfo:
        """Starts it with the files it had; one that runs is left as it is."""
        return self._asked("POST", "/start", {})

    def stop(self) -> SandboxInfo:
        """Ends everything in it and keeps its files."""
        return self._asked("POST", "/stop", {})

    def remove(self) -> bool:
        """Ends it and removes its files. False if it was not there."""
        return bool(self._connections.ask("DELETE", self._path)["removed"])

    def extend(self, seconds: int) -> SandboxInfo:
        """Lets it live longer: from now or from its present end, whichever is later."""
        answer = self._connections.ask_once("POST", f"{self._path}/extend", {"seconds": seconds})
        return SandboxInfo.from_dict(answer)

    def describe(
        self, description: str | None = None, labels: Mapping[str, str] | None = None
    ) -> SandboxInfo:
        """Changes its description, or replaces all its labels."""
        body: dict[str, Any] = {} if description is None else {"description": description}
        if labels is not None:
            body["labels"] = dict(labels)
        return self._asked("PATCH", "", body)

    def allow(self, *rules: str) -> SandboxInfo:
        """Lets it connect to these, also while it runs."""
        return self._asked("POST", "/egress", {"allow": rules})

    def deny(self, *rules: str) -> SandboxInfo:
        """Keeps it from connecting to these, also while it runs."""
        return self._asked("POST", "/egress", {"deny": rules})

    def forget(self, *rules: str) -> SandboxInfo:
        """Takes rules of either kind back."""
        return self._asked("POST", "/egress", {"forget": rules})

    def events(self, follow: bool = False) -> Iterator[SandboxEvent]:
        """What happened to it, refused connections above all; followed, until it is removed."""
        for page in self.event_pages(follow):
            yield from page

    def event_pages(self, follow: bool = False) -> Iterator[list[SandboxEvent]]:
        """The same, as they come: several at a time, or none for a while."""
        after, wait = 0, 0
        while True:
            path = f"{self._path}/events?after={after}&wait={wait}"
            try:
                page = self._connections.ask("GET", path)
            except SandboxNotFound:
                if wait:
                    return
                raise
            yield [SandboxEvent.from_dict(event) for event in page["events"]]
            if not follow:
                return
            after, wait = int(page["next"]), _LONGEST_WAIT

    def _asked(self, method: str, what: str, body: Any = None) -> SandboxInfo:
        return SandboxInfo.from_dict(self._connections.ask(method, self._path + what, body))
