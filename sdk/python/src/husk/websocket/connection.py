"""One WebSocket connection."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections import deque
from typing import Mapping

from husk.websocket import frames, handshake
from husk.websocket.frames import Close, Message, Ping, Pong, ProtocolError

_NORMAL = 1000
_READ_AT_ONCE = 1 << 18
_FAREWELL = 1.0
_LONGEST = 1 << 30


class WebSocket:
    """A connection over which messages pass in both directions. One task reads, any number write."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._messages = frames.MessageReader(_LONGEST)
        self._ready: deque[Message] = deque()
        self._writing = asyncio.Lock()
        self.last_heard = time.monotonic()
        self.closed_by_peer: Close | None = None

    @classmethod
    async def open(
        cls,
        host: str,
        port: int,
        target: str,
        *,
        tls: ssl.SSLContext | None = None,
        headers: Mapping[str, str] | None = None,
        timeout: float = 30,
    ) -> WebSocket:
        return await asyncio.wait_for(
            cls._open(host, port, target, tls, headers or {}), timeout
        )

    @classmethod
    async def _open(
        cls,
        host: str,
        port: int,
        target: str,
        tls: ssl.SSLContext | None,
        headers: Mapping[str, str],
    ) -> WebSocket:
        reader, writer = await asyncio.open_connection(host, port, ssl=tls, limit=_READ_AT_ONCE)
        try:
            key = handshake.new_key()
            authority = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            writer.write(handshake.request(authority, target, key, headers))
            handshake.check(await _head(reader), key)
            return cls(reader, writer)
        except BaseException:
            writer.transport.abort()
            raise

    async def receive(self) -> str | bytes | None:
        """The next message; None once the other side has said farewell.

        Raises:
            ConnectionError: The connection broke, or what came is not WebSocket.
        """
        while True:
            while self._ready:
                message = self._ready.popleft()
                if isinstance(message, (str, bytes)):
                    return message
                if await self._attend(message):
                    return None
            await self._fill()

    async def _fill(self) -> None:
        self._acknowledge_at_once()
        data = await self._reader.read(_READ_AT_ONCE)
        if not data:
            raise ConnectionResetError("the connection ended without a farewell")
        self.last_heard = time.monotonic()
        try:
            self._ready.extend(self._messages.feed(data))
        except ProtocolError as error:
            await self._part(error.code)
            raise

    def _acknowledge_at_once(self) -> None:
        """Servers that hold small frames back until the last was acknowledged would cost 40 ms each."""
        line = self._writer.get_extra_info("socket")
        if line is not None and hasattr(socket, "TCP_QUICKACK"):
            try:
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)
            except OSError:  # it is closed; reading will tell
                pass

    async def _attend(self, message: Message) -> bool:
        """Does what a control frame asks for; whether it was the farewell."""
        if isinstance(message, Ping):
            await self._write(frames.PONG, message.payload)
        elif isinstance(message, Close):
            self.closed_by_peer = message
            await self._part(_NORMAL)
            return True
        else:
            assert isinstance(message, Pong)  # that it was heard is all that matters
        return False

    async def send(self, text: str) -> None:
        await self._write(frames.TEXT, text.encode("utf-8"))

    async def ping(self) -> None:
        await self._write(frames.PING, b"")

    async def _write(self, opcode: int, payload: bytes) -> None:
        async with self._writing:
            if self._writer.is_closing():
                raise ConnectionResetError("the connection is closed")
            self._writer.write(frames.encode(opcode, payload))
            await self._writer.drain()

    async def close(self) -> None:
        """Says farewell and closes, without waiting long for the other side's."""
        await self._part(_NORMAL)

    async def _part(self, code: int) -> None:
        try:
            if not self._writer.is_closing():
                self._writer.write(frames.encode(frames.CLOSE, code.to_bytes(2, "big")))
                self._writer.close()
            await asyncio.wait_for(self._writer.wait_closed(), _FAREWELL)
        except (OSError, asyncio.TimeoutError):
            self.abort()

    def abort(self) -> None:
        """Ends the connection at once."""
        self._writer.transport.abort()


async def _head(reader: asyncio.StreamReader) -> bytes:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        return head[:-4]
    except asyncio.IncompleteReadError as error:
        raise ConnectionResetError("the server hung up instead of answering") from error
    except asyncio.LimitOverrunError as error:
        raise ProtocolError("the head of the server's answer has no end") from error
