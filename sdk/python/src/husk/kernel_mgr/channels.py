"""The line to a kernel: one WebSocket, any number of requests, and a new line when it breaks.

The server keeps what a kernel says while the line is down and says it again to the same session; what it
says twice, because it cannot know what arrived, is heard once. Should something be missing even so, a marker
finds out: kernels answer in order, so what is not over when a later request is, is lost.
"""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Any, Awaitable, Callable, Mapping

from husk.kernel_mgr import messages
from husk.kernel_mgr.cell import Cell
from husk.kernel_mgr.messages import Message
from husk.kernel_mgr.results import KernelDied
from husk.kernel_mgr.rest import Answered
from husk.websocket.connection import WebSocket
from husk.websocket.handshake import Refused

logger = logging.getLogger("husk.kernel_mgr")

_MOST_UNREAD = 64 << 20
_PATIENCE = 60.0
_SILENCE = 30.0


class Channels:
    """
    Args:
        dial: Opens a WebSocket to the kernel.
        exists: Whether the kernel is still there.
        session: The session's id, by which the server knows this client again.
        ping_interval: Seconds between two pings.
    """

    def __init__(
        self,
        dial: Callable[[], Awaitable[WebSocket]],
        exists: Callable[[], Awaitable[bool]],
        session: str,
        ping_interval: float,
    ) -> None:
        self._dial = dial
        self._exists = exists
        self._session = session
        self._ping_interval = ping_interval
        self._cells: dict[str, Cell] = {}
        self._heard = _Heard()
        self._unread = 0
        self._room = asyncio.Event()
        self._line: WebSocket | None = None
        self._connected = asyncio.Event()
        self._lost: KernelDied | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        self._line = await self._dial()
        self._connected.set()
        self._tasks = [asyncio.create_task(self._serve()), asyncio.create_task(self._ping())]

    async def close(self) -> None:
        self._lose(KernelDied("Disconnected", "the client was disconnected from its kernel"))
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._line is not None:
            await self._line.close()

    async def submit(self, kind: str, content: Mapping[str, Any]) -> Cell:
        """Sends a request. What becomes of it if the line breaks meanwhile, its cell tells."""
        if self._lost is None:
            await self._connected.wait()
        if self._lost is not None:
            raise KernelDied(self._lost.ename, self._lost.evalue)
        cell = Cell(messages.new_id(), self._release)
        self._cells[cell.msg_id] = cell
        cell.over.add_done_callback(lambda _: self._cells.pop(cell.msg_id, None))
        assert self._line is not None
        try:
            await self._line.send(messages.request(kind, content, self._session, cell.msg_id))
        except (OSError, RuntimeError) as error:
            logger.info("a request may not have reached its kernel: %s", error)
        return cell

    async def _serve(self) -> None:
        try:
            while True:
                reason = await self._listen()
                self._connected.clear()
                logger.info("the line to the kernel broke: %s", reason)
                await self._reconnect(reason)
        except KernelDied as lost:
            self._lose(lost)
        except Exception as error:
            logger.exception("the line to the kernel failed")
            self._lose(KernelDied("Disconnected", f"the line to the kernel failed: {error!r}"))

    async def _listen(self) -> str:
        """Hears everything until the line breaks; says why it did."""
        assert self._line is not None
        try:
            while True:
                data = await self._line.receive()
                if data is None:
                    return f"the server closed it ({self._line.closed_by_peer})"
                message = messages.decode(data)
                if message is not None:
                    await self._hear(message)
        except OSError as error:
            return str(error)

    async def _hear(self, message: Message) -> None:
        if self._heard.again(message.msg_id):
            return
        if message.kind == "status":
            await self._hear_state(str(message.content.get("execution_state")))
        cell = self._cells.get(message.parent or "")
        if cell is not None and cell.take(message):
            self._unread += message.size
        while self._unread > _MOST_UNREAD:
            self._room.clear()
            await self._room.wait()

    async def _hear_state(self, state: str) -> None:
        if state in ("restarting", "autorestarting", "dead"):
            died = KernelDied("KernelDied", f"the kernel died (its state is {state!r})")
            if state == "dead":
                self._lose(died)
            self._end_cells(died)
        elif state == "starting" and self._cells:
            self._mark()

    def _release(self, size: int) -> None:
        self._unread -= size
        if self._unread <= _MOST_UNREAD:
            self._room.set()

    def _lose(self, why: KernelDied) -> None:
        """Gives up: nothing will be heard any more."""
        self._lost = self._lost or why
        self._connected.set()
        self._end_cells(why)

    def _end_cells(self, why: KernelDied) -> None:
        for cell in list(self._cells.values()):
            cell.end(why)

    # When the line breaks

    async def _reconnect(self, reason: str) -> None:
        deadline = time.monotonic() + _PATIENCE
        pause = 0.05
        while True:
            try:
                if not await self._exists():
                    raise _gone()
                self._line = await self._dial()
                break
            except (OSError, asyncio.TimeoutError, Answered) as error:
                if time.monotonic() > deadline or _for_good(error):
                    text = f"the line to the kernel broke ({reason}) and cannot be mended: {error}"
                    raise KernelDied("Disconnected", text) from error
            await asyncio.sleep(pause)
            pause = min(pause * 2, 1.0)
        self._connected.set()
        if self._cells:
            self._mark()

    def _mark(self) -> None:
        earlier = list(self._cells.values())
        self._tasks.append(asyncio.create_task(self._find_lost(earlier)))

    async def _find_lost(self, earlier: list[Cell]) -> None:
        marker = await self.submit("kernel_info_request", {})
        await marker.over
        for cell in earlier:
            cell.end(marker.lost or _outputs_lost())

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(self._ping_interval)
            await self._connected.wait()
            if self._lost is not None:
                return
            try:
                await self._look_after(self._line)
            except (OSError, asyncio.TimeoutError, Answered):  # whoever reads notices too
                pass

    async def _look_after(self, line: WebSocket | None) -> None:
        """Keeps the line busy, gives up one that is silent, and asks whether the kernel is there.

        Not every server tells those who wait that somebody else has deleted their kernel.
        """
        assert line is not None
        silence = time.monotonic() - line.last_heard
        if self._unread <= _MOST_UNREAD and silence > max(_SILENCE, 3 * self._ping_interval):
            line.abort()
            return
        await line.ping()
        if self._cells and not await self._exists():
            self._lose(_gone())


class _Heard:
    """The ids of the latest messages."""

    _MOST = 1 << 16

    def __init__(self) -> None:
        self._ids: dict[str, None] = {}

    def again(self, msg_id: str) -> bool:
        """Whether a message was heard before; from now on it was."""
        if not msg_id:
            return False
        if msg_id in self._ids:
            return True
        self._ids[msg_id] = None
        if len(self._ids) > self._MOST:
            del self._ids[next(iter(self._ids))]
        return False


def _for_good(error: BaseException) -> bool:
    if isinstance(error, Refused):
        return error.status in (401, 403, 404)
    return isinstance(error, Answered) and error.for_good


def _outputs_lost() -> KernelDied:
    return KernelDied(
        "Disconnected", "the line to the kernel broke, and what the code did meanwhile is not known"
    )


def _gone() -> KernelDied:
    return KernelDied("KernelDied", "the kernel is gone; somebody has deleted it")
