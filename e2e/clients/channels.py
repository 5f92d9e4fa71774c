"""A kernel's channels over a WebSocket that is read only when asked: so a client can be slow."""

import asyncio
import json
import socket
import uuid

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.uri import parse_uri

import frames

SMALL = 8192


class Channels:
    """One connection. Its session is the client's, and may be given to a later connection."""

    def __init__(self, session: str, reader, writer, protocol: ClientProtocol):
        self.session = session
        self._reader = reader
        self._writer = writer
        self._protocol = protocol
        self._arrived = []
        self._parts = []
        self.pings = 0  # answered

    @classmethod
    async def open(cls, server, kernel, session=None, small=False, protocol="", headers={}):
        """With small buffers, little arrives before it is read."""
        session = session or uuid.uuid4().hex
        url = f"ws://{server.host}:{server.port}/api/kernels/{kernel}/channels?session_id={session}"
        given = [protocol] if protocol else None
        machine = ClientProtocol(parse_uri(url), subprotocols=given, max_size=None)
        reader, writer = await connect(server, small)
        opened = cls(session, reader, writer, machine)
        request = machine.connect()
        for name, value in headers.items():
            request.headers.pop(name, None)
            request.headers[name] = value
        machine.send_request(request)
        await opened._hand_over()
        while machine.handshake_exc is None and machine.state.name == "CONNECTING":
            await opened._receive()
        if machine.handshake_exc is not None:
            writer.close()
            raise machine.handshake_exc
        return opened

    @property
    def subprotocol(self):
        return self._protocol.subprotocol

    async def send(self, kind: str, content: dict, channel="shell", asked=None, buffers=()) -> str:
        """Sends a message, and gives the id under which it will be answered."""
        asked = asked or uuid.uuid4().hex
        header = {"msg_id": asked, "msg_type": kind, "session": self.session}
        message = {
            "channel": channel,
            "header": {**header, "username": "", "version": "5.3", "date": "2026-01-01T00:00:00Z"},
            "parent_header": {},
            "metadata": {},
            "content": content,
        }
        await self.send_frame(frames.encode(message, buffers, self.subprotocol))
        return asked

    async def execute(self, code: str, asked=None, allow_stdin=False) -> str:
        content = {"code": code, "silent": False, "store_history": False, "stop_on_error": False}
        content |= {"user_expressions": {}, "allow_stdin": allow_stdin}
        return await self.send("execute_request", content, asked=asked)

    async def send_frame(self, frame) -> None:
        if isinstance(frame, str):
            self._protocol.send_text(frame.encode())
        else:
            self._protocol.send_binary(frame)
        await self._hand_over()

    async def read(self):
        """The next message; None when the other end has closed the connection."""
        while not self._arrived:
            if not await self._receive():
                return None
        return self._arrived.pop(0)

    async def answers(self, asked: str) -> list:
        """The messages up to the reply and to idle, of this request alone."""
        found, open_ends = [], {"reply", "idle"}
        while open_ends:
            message = await self.read()
            assert message is not None, f"closed before {open_ends} of {asked}: {found}"
            if message["parent_header"].get("msg_id") == asked:
                found.append(message)
                open_ends -= {ending(message)}
        return found

    async def leave(self) -> list:
        """Says goodbye; gives what came before the other end's goodbye."""
        self._protocol.send_close()
        await self._hand_over()
        while await self._receive():
            pass
        self._writer.close()
        rest, self._arrived = self._arrived, []
        return rest

    def drop(self) -> None:
        """Goes without a word."""
        self._writer.transport.abort()

    async def _receive(self) -> bool:
        try:
            data = await self._reader.read(1 << 16)
        except ConnectionError:  # a pong met a closed door
            data = b""
        if data:
            self._protocol.receive_data(data)
        else:
            self._protocol.receive_eof()
        for event in self._protocol.events_received():
            if not isinstance(event, Response):
                self._take(event)
        await self._hand_over()
        return bool(data)

    def _take(self, frame: Frame) -> None:
        self.pings += frame.opcode is Opcode.PING
        if frame.opcode not in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
            return
        self._parts.append(frame)
        if frame.fin:
            whole = b"".join(part.data for part in self._parts)
            text = self._parts[0].opcode is Opcode.TEXT
            self._arrived.append(
                json.loads(whole) if text else frames.decode(whole, self.subprotocol)
            )
            self._parts.clear()

    async def _hand_over(self) -> None:
        for data in self._protocol.data_to_send():
            if data:
                self._writer.write(data)
        try:
            await self._writer.drain()
        except ConnectionError:
            pass  # reading will tell


async def connect(server, small: bool):
    line = socket.socket()
    line.setblocking(False)
    if small:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
    await asyncio.get_running_loop().sock_connect(line, (server.host, server.port))
    return await asyncio.open_connection(sock=line, limit=SMALL if small else 1 << 20)


def ending(message: dict):
    """Whether a message is one of the two that end a request."""
    if message["channel"] in ("shell", "control"):
        return "reply"
    state = message["content"].get("execution_state")
    return "idle" if message["header"]["msg_type"] == "status" and state == "idle" else None


def kinds(messages: list) -> list:
    return [message["header"]["msg_type"] for message in messages]


def text(messages: list) -> str:
    streams = [m["content"]["text"] for m in messages if m["header"]["msg_type"] == "stream"]
    return "".join(streams)
