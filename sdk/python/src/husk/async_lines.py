"""Lines into a sandbox, to commands and ports, for asynchronous programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, AsyncIterator

from husk.commands import Event, Forward, RunningCommand
from husk.sandbox_model import CommandResult
from husk.threads import Threads

if TYPE_CHECKING:
    from husk.sandbox import Sandbox


class AsyncRunningCommand:
    """A line to a command: the same calls as `RunningCommand` has, each to be awaited."""

    def __init__(self, line: RunningCommand, sandbox: Sandbox, threads: Threads) -> None:
        self._line = line
        self._sandbox = sandbox
        self._threads = threads
        self._call = threads.call

    @property
    def id(self) -> str:
        return self._line.id

    async def __aenter__(self) -> AsyncRunningCommand:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[Event]:
        async for event in self._threads.stream(lambda: self._line, self._end):
            yield event

    async def collect(self) -> CommandResult:
        """Reads to the end."""
        return await self._threads.wait(self._line.collect, self._end)

    async def _end(self) -> Any:
        await self._call(self._sandbox.kill, self._line.id, "KILL")

    async def write(self, data: bytes | str) -> None:
        await self._call(self._line.write, data)

    async def close_stdin(self) -> None:
        await self._call(self._line.close_stdin)

    async def signal(self, signal: int | str) -> None:
        await self._call(self._line.signal, signal)

    async def resize(self, rows: int, columns: int) -> None:
        await self._call(self._line.resize, rows, columns)

    def feed(self, data: bytes) -> None:
        """Sends all of standard input, while the output is read."""
        self._line.feed(data)

    async def close(self) -> None:
        await self._call(self._line.close)


class AsyncForward:
    """A connection to a port inside a sandbox."""

    def __init__(self, forward: Forward, threads: Threads) -> None:
        self._forward = forward
        self._call = threads.call

    async def recv(self) -> bytes:
        """The next bytes, however many; none at the end."""
        return await self._call(self._forward.recv)

    async def sendall(self, data: bytes) -> None:
        await self._call(self._forward.sendall, data)

    async def end(self) -> None:
        """Says that nothing more is sent."""
        await self._call(self._forward.end)

    async def close(self) -> None:
        await self._call(self._forward.close)

    async def __aenter__(self) -> AsyncForward:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
