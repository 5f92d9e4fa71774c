"""Frames: how messages are cut into bytes, and put together again."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Union

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0x0, 0x1, 0x2, 0x8, 0x9, 0xA

PROTOCOL_ERROR, BAD_DATA, TOO_LARGE = 1002, 1007, 1009
_NO_CODE_GIVEN = 1005
_LONGEST_CONTROL = 125
_FIN, _RESERVED, _MASKED = 0x80, 0x70, 0x80


class ProtocolError(ConnectionError):
    """The other side does not speak WebSocket; the connection cannot be used any more."""

    def __init__(self, message: str, code: int = PROTOCOL_ERROR) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Frame:
    opcode: int
    payload: bytes
    final: bool = True


@dataclass(frozen=True)
class Ping:
    payload: bytes


@dataclass(frozen=True)
class Pong:
    payload: bytes


@dataclass(frozen=True)
class Close:
    code: int
    reason: str


Message = Union[str, bytes, Ping, Pong, Close]


def encode(opcode: int, payload: bytes, mask: bytes | None = None) -> bytes:
    """A whole message in one frame, masked as clients must."""
    key = os.urandom(4) if mask is None else mask
    length = len(payload)
    if length <= 125:
        head = bytes((_FIN | opcode, _MASKED | length))
    elif length < 1 << 16:
        head = bytes((_FIN | opcode, _MASKED | 126)) + length.to_bytes(2, "big")
    else:
        head = bytes((_FIN | opcode, _MASKED | 127)) + length.to_bytes(8, "big")
    return head + key + masked(payload, key)


def masked(payload: bytes, key: bytes) -> bytes:
    """Masking is its own inverse. As one large number it takes no loop over the bytes."""
    length = len(payload)
    keys = (key * (length // 4 + 1))[:length]
    mixed = int.from_bytes(payload, "big") ^ int.from_bytes(keys, "big")
    return mixed.to_bytes(length, "big")


class FrameReader:
    """Cuts what a server sends, in pieces of any size, into frames."""

    def __init__(self, longest: int) -> None:
        self._longest = longest
        self._bytes = bytearray()
        self._wanted = 2

    def feed(self, data: bytes) -> list[Frame]:
        self._bytes += data
        found = []
        while len(self._bytes) >= self._wanted:
            frame = self._next()
            if frame is not None:
                found.append(frame)
        return found

    def _next(self) -> Frame | None:
        """The frame at the front; None, and more is wanted, if it is not whole yet."""
        first, second = self._bytes[0], self._bytes[1]
        opcode = _checked_opcode(first, second)
        short = second & 0x7F
        head = 2 + {126: 2, 127: 8}.get(short, 0)
        if len(self._bytes) < head:
            self._wanted = head
            return None
        length = int.from_bytes(self._bytes[2:head], "big") if head > 2 else short
        if length > self._longest:
            raise ProtocolError(f"a frame of {length} bytes is too large", TOO_LARGE)
        if len(self._bytes) < head + length:
            self._wanted = head + length
            return None
        payload = bytes(memoryview(self._bytes)[head : head + length])
        del self._bytes[: head + length]
        self._wanted = 2
        return Frame(opcode, payload, bool(first & _FIN))


def _checked_opcode(first: int, second: int) -> int:
    opcode = first & 0x0F
    if first & _RESERVED:
        raise ProtocolError("a frame uses an extension that was not agreed upon")
    if second & _MASKED:
        raise ProtocolError("a frame of the server is masked")
    if opcode in (CLOSE, PING, PONG):
        if not first & _FIN or second & 0x7F > _LONGEST_CONTROL:
            raise ProtocolError("a control frame is long or in pieces")
    elif opcode not in (CONTINUATION, TEXT, BINARY):
        raise ProtocolError(f"a frame has the unknown opcode {opcode}")
    return opcode


class MessageReader:
    """Puts frames together to messages; control frames may stand between a message's pieces."""

    def __init__(self, longest: int) -> None:
        self._frames = FrameReader(longest)
        self._longest = longest
        self._opcode: int | None = None
        self._pieces: list[bytes] = []
        self._size = 0

    def feed(self, data: bytes) -> list[Message]:
        messages = []
        for frame in self._frames.feed(data):
            message = self._control(frame) if frame.opcode >= CLOSE else self._data(frame)
            if message is not None:
                messages.append(message)
        return messages

    def _data(self, frame: Frame) -> Message | None:
        if (frame.opcode == CONTINUATION) != (self._opcode is not None):
            raise ProtocolError("the pieces of a message are out of order")
        self._opcode = frame.opcode if self._opcode is None else self._opcode
        self._pieces.append(frame.payload)
        self._size += len(frame.payload)
        if self._size > self._longest:
            raise ProtocolError(f"a message of over {self._longest} bytes is too large", TOO_LARGE)
        return self._whole() if frame.final else None

    def _whole(self) -> Message:
        whole = self._pieces[0] if len(self._pieces) == 1 else b"".join(self._pieces)
        opcode, self._opcode, self._pieces, self._size = self._opcode, None, [], 0
        return _text(whole) if opcode == TEXT else whole

    @staticmethod
    def _control(frame: Frame) -> Message:
        if frame.opcode == CLOSE:
            return _close(frame.payload)
        return Ping(frame.payload) if frame.opcode == PING else Pong(frame.payload)


def _close(payload: bytes) -> Close:
    if not payload:
        return Close(_NO_CODE_GIVEN, "")
    if len(payload) == 1:
        raise ProtocolError("a close frame holds half of a code")
    return Close(int.from_bytes(payload[:2], "big"), _text(payload[2:]))


def _text(payload: bytes) -> str:
    try:
        return payload.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProtocolError(f"a text is not UTF-8: {error}", BAD_DATA) from error
