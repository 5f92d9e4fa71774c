"""`Sandbox` for asynchronous programs."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, AsyncIterator, Mapping, Sequence

from husk.async_files import AsyncSandboxFiles
from husk.async_lines import AsyncForward, AsyncRunningCommand
from husk.commands import Event, RunningCommand
from husk.sandbox import Sandbox
from husk.sandbox_model import CommandInfo, CommandResult, SandboxEvent, SandboxInfo
from husk.threads import Threads

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from husk.options import CommandOptions, LineOptions


class AsyncSandbox:
    """The same calls as `Sandbox` has, each to be awaited.

    Cancelling a task that waits for a command ends the command and all it started.
    """

    def __init__(self, sandbox: Sandbox, threads: Threads) -> None:
        self._sandbox = sandbox
        self._threads = threads
        self._call = threads.call
        self.name = sandbox.name
        self.files = AsyncSandboxFiles(sandbox.files, threads)

    def __repr__(self) -> str:
        return f"AsyncSandbox({self.name!r})"

    async def __aenter__(self) -> AsyncSandbox:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._call(self._sandbox.__exit__, None, None, None)

    # Commands

    async def exec(
        self,
        command: Sequence[str],
        *,
        input: bytes | str | None = None,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        timeout: float | None = None,
    ) -> CommandResult:
        """Runs a command and waits for its end; arguments as in `Sandbox.exec`."""
        async with await self.begin(
            command, env=env, cwd=cwd, timeout=timeout, stdin=input is not None
        ) as line:
            if input is not None:
                line.feed(input.encode() if isinstance(input, str) else input)
            return await line.collect()

    async def stream(
        self, command: Sequence[str], **options: Unpack[CommandOptions]
    ) -> AsyncIterator[Event]:
        """Runs a command and gives `Output` as it comes, `CommandEnd` last; leaving the loop ends it."""
        async with await self.begin(command, **options) as line:
            async for event in line:
                yield event

    async def begin(
        self, command: Sequence[str], **options: Unpack[LineOptions]
    ) -> AsyncRunningCommand:
        """Begins a command, to be read from and written to; options as in `Sandbox.begin`."""
        return self._line(await self._call(self._sandbox.begin, command, **options))

    def _line(self, line: RunningCommand) -> AsyncRunningCommand:
        return AsyncRunningCommand(line, self._sandbox, self._threads)

    async def detach(
        self, command: Sequence[str], **options: Unpack[CommandOptions]
    ) -> CommandInfo:
        return await self._call(self._sandbox.detach, command, **options)

    async def attach(self, command_id: str) -> AsyncRunningCommand:
        return self._line(await self._call(self._sandbox.attach, command_id))

    async def logs(self, command_id: str) -> CommandResult:
        return await self._call(self._sandbox.logs, command_id)

    async def commands(self) -> list[CommandInfo]:
        return await self._call(self._sandbox.commands)

    async def kill(self, command_id: str, signal: int | str = "TERM") -> None:
        await self._call(self._sandbox.kill, command_id, signal)

    # Files, ports and use

    async def copy_in(self, source: str | os.PathLike[str], target: str) -> None:
        await self.files.copy_in(source, target)

    async def copy_out(self, source: str, target: str | os.PathLike[str]) -> None:
        await self.files.copy_out(source, target)

    async def connect(self, port: int) -> AsyncForward:
        return AsyncForward(await self._call(self._sandbox.connect, port), self._threads)

    async def usage(self) -> dict[str, int]:
        return await self._call(self._sandbox.usage)

    # Its life

    async def info(self) -> SandboxInfo:
        return await self._call(self._sandbox.info)

    async def start(self) -> SandboxInfo:
        return await self._call(self._sandbox.start)

    async def stop(self) -> SandboxInfo:
        return await self._call(self._sandbox.stop)

    async def remove(self) -> bool:
        return await self._call(self._sandbox.remove)

    async def extend(self, seconds: int) -> SandboxInfo:
        return await self._call(self._sandbox.extend, seconds)

    async def describe(
        self, description: str | None = None, labels: Mapping[str, str] | None = None
    ) -> SandboxInfo:
        return await self._call(self._sandbox.describe, description, labels)

    async def allow(self, *rules: str) -> SandboxInfo:
        return await self._call(self._sandbox.allow, *rules)

    async def deny(self, *rules: str) -> SandboxInfo:
        return await self._call(self._sandbox.deny, *rules)

    async def forget(self, *rules: str) -> SandboxInfo:
        return await self._call(self._sandbox.forget, *rules)

    async def events(self, follow: bool = False) -> AsyncIterator[SandboxEvent]:
        """What happened to it; followed, until it is removed."""
        pages = self._sandbox.event_pages(follow)
        while True:
            page: list[SandboxEvent] | None = await self._call(_next, pages)
            if page is None:
                return
            for event in page:
                yield event


def _next(pages: Any) -> Any:
    """An iterator's end cannot pass through a future."""
    return next(pages, None)
