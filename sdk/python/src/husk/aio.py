"""The asynchronous library: `AsyncHusk`, and ipybox's kernel manager."""

from __future__ import annotations

import asyncio
import functools
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Callable, TypeVar

from husk.client import Husk, Kernel
from husk.events import Ended, Event
from husk.kernel_mgr import (
    ExecutionError,
    ExecutionResult,
    ExecutionTimeout,
    KernelClient,
    KernelDied,
    KernelGateway,
)
from husk.live_model import BestOf, Checkpoint
from husk.model import ExecutionResult as HuskResult
from husk.model import KernelHealth, KernelRecord
from husk.state import StateDiff

__all__ = [
    "AsyncHusk",
    "ExecutionError",
    "ExecutionResult",
    "ExecutionTimeout",
    "KernelClient",
    "KernelDied",
    "KernelGateway",
]

_T = TypeVar("_T")
_MOST_UNREAD = 256
_MOST_WAITING = 256
_MOST_ASKING = 16


class AsyncHusk:
    """`Husk` for asynchronous programs: the same calls, each in a thread of its own.

    Cancelling a task that waits for an execution cancels the execution. Arguments are those of `Husk`.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        self._husk = Husk(*arguments, **options)
        # Those that wait for executions must never keep a cancellation from its thread.
        self._waiting = ThreadPoolExecutor(_MOST_WAITING, "husk-execution")
        self._asking = ThreadPoolExecutor(_MOST_ASKING, "husk-call")

    async def __aenter__(self) -> AsyncHusk:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._waiting.shutdown(wait=False)
        self._asking.shutdown(wait=False)
        self._husk.close()

    async def get_or_create(self, name: str, **options: Any) -> KernelRecord:
        return await self._call(self._husk.get_or_create, name, **options)

    async def create(self, name: str | None = None, **options: Any) -> KernelRecord:
        return await self._call(self._husk.create, name, **options)

    async def list_kernels(self) -> list[KernelRecord]:
        return await self._call(self._husk.list_kernels)

    async def status(self, kernel: Kernel) -> KernelHealth:
        return await self._call(self._husk.status, kernel)

    async def interrupt(self, kernel: Kernel) -> None:
        await self._call(self._husk.interrupt, kernel)

    async def restart(self, kernel: Kernel) -> KernelRecord:
        return await self._call(self._husk.restart, kernel)

    async def destroy(self, name_or_id: Kernel) -> bool:
        return await self._call(self._husk.destroy, name_or_id)

    async def wipe(self) -> list[str]:
        return await self._call(self._husk.wipe)

    async def result(self, execution_id: str) -> HuskResult:
        return await self._call(self._husk.result, execution_id)

    async def cancel(self, execution_id: str) -> bool:
        return await self._call(self._husk.cancel, execution_id)

    async def fork(self, kernel: Kernel, name: str | None = None, **options: Any) -> KernelRecord:
        return await self._call(self._husk.fork, kernel, name, **options)

    async def forks(self, kernel: Kernel, names: Any, **options: Any) -> list[KernelRecord]:
        return await self._call(self._husk.forks, kernel, names, **options)

    async def promote(self, kernel: Kernel, fork: Kernel) -> KernelRecord:
        return await self._call(self._husk.promote, kernel, fork)

    async def checkpoint(
        self, kernel: Kernel, label: str | None = None, **options: Any
    ) -> Checkpoint:
        return await self._call(self._husk.checkpoint, kernel, label, **options)

    async def checkpoints(self, kernel: Kernel) -> list[Checkpoint]:
        return await self._call(self._husk.checkpoints, kernel)

    async def rollback(self, kernel: Kernel, to: Checkpoint | str | None = None) -> Checkpoint:
        return await self._call(self._husk.rollback, kernel, to)

    async def drop_checkpoint(self, kernel: Kernel, checkpoint: Checkpoint | str) -> None:
        await self._call(self._husk.drop_checkpoint, kernel, checkpoint)

    async def diff(
        self, kernel: Kernel, checkpoint: Checkpoint | str | None = None, **options: Any
    ) -> StateDiff:
        return await self._call(self._husk.diff, kernel, checkpoint, **options)

    async def keep(self, kernel: Kernel) -> KernelRecord:
        return await self._call(self._husk.keep, kernel)

    async def discard(self, kernel: Kernel) -> KernelRecord:
        return await self._call(self._husk.discard, kernel)

    async def best_of(self, kernel: Kernel, codes: Any, **options: Any) -> BestOf:
        return await self._call(self._husk.best_of, kernel, codes, **options)

    async def execute(self, kernel: Kernel, code: str, **options: Any) -> HuskResult:
        """Runs code and waits for the result; options as in `Husk.execute`."""
        async for event in self.stream(kernel, code, **options):
            if isinstance(event, Ended):
                return event.result
        raise AssertionError("a stream ends with a result or an exception")

    async def stream(self, kernel: Kernel, code: str, **options: Any) -> AsyncIterator[Event]:
        """Runs code and gives its events as they happen; closing the iterator cancels it."""
        options.setdefault("execution_id", secrets.token_hex(16))
        relay = _Relay()
        events = functools.partial(self._husk.stream, kernel, code, **options)
        loop = asyncio.get_running_loop()
        reading = loop.run_in_executor(self._waiting, relay.pump, events)
        try:
            while True:
                item = await relay.next()
                if item is None:
                    break
                yield item
            await reading
        finally:
            relay.stop()
            if not reading.done():
                await asyncio.shield(self._end(options["execution_id"], reading))

    async def _end(self, execution_id: str, reading: asyncio.Future[None]) -> None:
        """A thread that waits for a silent execution ends when that ends."""
        while not reading.done():
            try:
                await self.cancel(execution_id)
            except Exception:  # not begun yet; the thread itself gives up in time
                pass
            await asyncio.wait({reading}, timeout=0.05)
        reading.exception()

    async def _call(self, function: Callable[..., _T], *arguments: Any, **options: Any) -> _T:
        call = functools.partial(function, *arguments, **options)
        return await asyncio.get_running_loop().run_in_executor(self._asking, call)


class _Relay:
    """Hands events from a thread to the event loop, never many ahead of who reads them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[Event | None] = asyncio.Queue()
        self._room = threading.Semaphore(_MOST_UNREAD)
        self._stopped = False

    def pump(self, events: Callable[[], Any]) -> None:
        try:
            for event in events():
                self._room.acquire()
                if self._stopped:
                    return
                self._loop.call_soon_threadsafe(self._queue.put_nowait, event)
        finally:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, None)

    async def next(self) -> Event | None:
        event = await self._queue.get()
        self._room.release()
        return event

    def stop(self) -> None:
        self._stopped = True
        self._room.release()
