"""The threads in which an asynchronous program's calls wait."""

from __future__ import annotations

import asyncio
import functools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, Iterable, TypeVar

_T = TypeVar("_T")
_MOST_UNREAD = 256
_MOST_WAITING = 256
_MOST_ASKING = 16

End = Callable[[], Awaitable[Any]]
"""Ends what a thread waits for; called again until it has ended."""


class Threads:
    def __init__(self) -> None:
        # Those that wait for executions must never keep a cancellation from its thread.
        self._waiting = ThreadPoolExecutor(_MOST_WAITING, "husk-execution")
        self._asking = ThreadPoolExecutor(_MOST_ASKING, "husk-call")

    def close(self) -> None:
        self._waiting.shutdown(wait=False)
        self._asking.shutdown(wait=False)

    async def call(self, function: Callable[..., _T], *arguments: Any, **options: Any) -> _T:
        """A call that is answered soon."""
        bound = functools.partial(function, *arguments, **options)
        return await asyncio.get_running_loop().run_in_executor(self._asking, bound)

    async def wait(self, function: Callable[[], _T], end: End) -> _T:
        """A call that may take for ever; whoever is cancelled over it ends what it waits for."""
        waiting = asyncio.get_running_loop().run_in_executor(self._waiting, function)
        try:
            return await asyncio.shield(waiting)
        finally:
            if not waiting.done():
                await asyncio.shield(_end(waiting, end))

    async def stream(self, items: Callable[[], Iterable[_T]], end: End) -> AsyncIterator[_T]:
        """What a loop in a thread gives; whoever leaves it ends what it waits for."""
        relay: Relay[_T] = Relay()
        loop = asyncio.get_running_loop()
        reading = loop.run_in_executor(self._waiting, relay.pump, items)
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
                await asyncio.shield(_end(reading, end))


async def _end(waiting: asyncio.Future[Any], end: End) -> None:
    """A thread that waits for what is silent ends when that ends."""
    while not waiting.done():
        try:
            await end()
        except Exception:  # not begun yet, or over already; the thread itself gives up in time
            pass
        await asyncio.wait({waiting}, timeout=0.05)
    if not waiting.cancelled():
        waiting.exception()


class Relay(Generic[_T]):
    """Hands items from a thread to the event loop, never many ahead of who reads them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._queue: asyncio.Queue[_T | None] = asyncio.Queue()
        self._room = threading.Semaphore(_MOST_UNREAD)
        self._stopped = False

    def pump(self, items: Callable[[], Iterable[_T]]) -> None:
        try:
            for item in items():
                self._room.acquire()
                if self._stopped:
                    return
                self._loop.call_soon_threadsafe(self._queue.put_nowait, item)
        finally:
            self._loop.call_soon_threadsafe(self._queue.put_nowait, None)

    async def next(self) -> _T | None:
        item = await self._queue.get()
        self._room.release()
        return item

    def stop(self) -> None:
        self._stopped = True
        self._room.release()
