"""One request under way: what the kernel says about it, until it has said everything."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import Any, Callable, Mapping

from husk.kernel_mgr.messages import Message
from husk.kernel_mgr.results import KernelDied


class Cell:
    """It is over when the reply *and* the idle state have come; either alone loses output.

    Attributes:
        over: Done when the kernel has finished with it, or it was lost or given up.
        reply: The content of the reply.
        error: The content of the error it raised.
        lost: Why nothing more will be heard of it, if that is so.
    """

    def __init__(self, msg_id: str, released: Callable[[int], None]) -> None:
        self.msg_id = msg_id
        self.over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.reply: Mapping[str, Any] | None = None
        self.error: Mapping[str, Any] | None = None
        self.lost: KernelDied | None = None
        self._released = released
        self._outputs: deque[Message] = deque()
        self._news = asyncio.Event()
        self._idle = False

    def take(self, message: Message) -> bool:
        """Takes a message from the reader; whether it is kept until somebody asks for it."""
        kept = False
        if message.channel == "shell" and message.kind.endswith("_reply"):
            self.reply = message.content
        elif message.kind == "status":
            self._idle = message.content.get("execution_state") == "idle"
        elif message.kind == "error":
            self.error = message.content
        elif message.channel == "iopub" and not self.left.done() and not self.over.done():
            self._outputs.append(message)
            kept = True
        if self.reply is not None and self._idle:
            self.end()
        self._news.set()
        return kept

    def end(self, lost: KernelDied | None = None) -> None:
        """Nothing more will come."""
        if not self.over.done():
            self.lost = lost
            self.over.set_result(None)
        self._news.set()

    def leave(self) -> None:
        """Nobody wants to hear of it any more."""
        if not self.left.done():
            self.left.set_result(None)
        while self._outputs:
            self._released(self._outputs.popleft().size)

    async def next(self) -> Message | None:
        """The next output; None when that was all."""
        while not self._outputs:
            if self.over.done():
                return None
            self._news.clear()
            await self._news.wait()
        message = self._outputs.popleft()
        self._released(message.size)
        return message
