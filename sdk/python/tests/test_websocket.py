"""The WebSocket client, to the byte: against RFC 6455, against chance, and against bad servers."""

from __future__ import annotations

import asyncio
import random
from typing import Any, Awaitable, Callable

import pytest

from husk.websocket import frames, handshake
from husk.websocket.connection import WebSocket
from husk.websocket.frames import Close, MessageReader, Ping, Pong, ProtocolError
from support import asynchronous

LONGEST = 1 << 20


def server_frame(opcode: int, payload: bytes, final: bool = True) -> bytes:
    """A frame as servers send it: not masked."""
    first = bytes([(0x80 if final else 0) | opcode])
    if len(payload) <= 125:
        return first + bytes([len(payload)]) + payload
    if len(payload) < 1 << 16:
        return first + b"\x7e" + len(payload).to_bytes(2, "big") + payload
    return first + b"\x7f" + len(payload).to_bytes(8, "big") + payload


def read(data: bytes) -> list[Any]:
    return list(MessageReader(LONGEST).feed(data))


def test_the_examples_of_the_rfc_are_read() -> None:
    assert read(bytes.fromhex("810548656c6c6f")) == ["Hello"]
    assert read(bytes.fromhex("010348656c80026c6f")) == ["Hello"]
    assert read(bytes.fromhex("890548656c6c6f")) == [Ping(b"Hello")]
    assert read(bytes.fromhex("827e0100") + b"x" * 256) == [b"x" * 256]
    assert read(bytes.fromhex("827f0000000000010000") + b"x" * 65536) == [b"x" * 65536]


def test_the_masked_example_of_the_rfc_is_written() -> None:
    written = frames.encode(frames.TEXT, b"Hello", bytes.fromhex("37fa213d"))
    assert written == bytes.fromhex("818537fa213d7f9f4d5158")


@pytest.mark.parametrize("size", [0, 1, 3, 4, 5, 125, 126, 127, 65535, 65536, 100_003])
def test_masking_is_its_own_inverse(size: int) -> None:
    payload = random.Random(size).randbytes(size)
    key = b"\x01\x80\xff\x7f"
    once = frames.masked(payload, key)
    assert once == bytes(b ^ key[i % 4] for i, b in enumerate(payload))
    assert frames.masked(once, key) == payload


def test_control_frames_may_stand_between_the_pieces_of_a_message() -> None:
    data = (
        server_frame(frames.TEXT, b"a", final=False)
        + server_frame(frames.PING, b"p")
        + server_frame(frames.CONTINUATION, b"b", final=False)
        + server_frame(frames.PONG, b"")
        + server_frame(frames.CONTINUATION, b"c")
        + server_frame(frames.CLOSE, b"\x03\xe8bye")
    )
    assert read(data) == [Ping(b"p"), Pong(b""), "abc", Close(1000, "bye")]


@pytest.mark.parametrize("seed", range(60))
def test_messages_survive_any_cutting(seed: int) -> None:
    chance = random.Random(seed)
    data, expected = b"", []
    for _ in range(chance.randrange(1, 12)):
        piece, message = _random_message(chance)
        data += piece
        expected.append(message)
    reader, got, at = MessageReader(LONGEST), [], 0
    while at < len(data):
        step = chance.choice((1, 2, 3, 7, 1000, 100_000))
        got += reader.feed(data[at : at + step])
        at += step
    assert got == expected


def _random_message(chance: random.Random) -> tuple[bytes, Any]:
    size = chance.choice((0, 1, 125, 126, 65535, 65536, chance.randrange(3000)))
    if chance.random() < 0.2:
        payload = chance.randbytes(min(size, 125))
        return server_frame(frames.PING, payload), Ping(payload)
    text = chance.random() < 0.5
    payload = ("ü" * (size // 2)).encode() if text else chance.randbytes(size)
    cuts = sorted(chance.randrange(len(payload) + 1) for _ in range(chance.randrange(4)))
    pieces = [payload[a:b] for a, b in zip([0, *cuts], [*cuts, len(payload)])]
    data = b""
    for number, piece in enumerate(pieces):
        opcode = frames.CONTINUATION if number else frames.TEXT if text else frames.BINARY
        data += server_frame(opcode, piece, final=number == len(pieces) - 1)
    return data, payload.decode() if text else payload


@pytest.mark.parametrize("seed", range(200))
def test_no_garbage_does_more_than_end_the_connection(seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(_random_message(chance)[0] + _random_message(chance)[0])
    for _ in range(chance.randrange(1, 6)):
        data[chance.randrange(min(len(data), 20))] = chance.randrange(256)
    try:
        for message in MessageReader(LONGEST).feed(bytes(data)):
            assert isinstance(message, (str, bytes, Ping, Pong, Close))
    except ProtocolError as error:
        assert error.code in (1002, 1007, 1009)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (bytes([0xC1, 0]), 1002),  # a reserved bit
        (bytes([0x81, 0x80, 1, 2, 3, 4]), 1002),  # masked by a server
        (bytes([0x83, 0]), 1002),  # an unknown opcode
        (bytes([0x8B, 0]), 1002),  # an unknown control opcode
        (bytes([0x09, 0]), 1002),  # a ping in pieces
        (bytes([0x89, 126, 0, 126]), 1002),  # a long ping
        (bytes([0x80, 0]), 1002),  # a continuation of nothing
        (server_frame(1, b"a", False) + server_frame(1, b"b"), 1002),  # two beginnings
        (server_frame(8, b"\x03"), 1002),  # half a code
        (server_frame(1, b"\xff\xfe"), 1007),  # no UTF-8
        (server_frame(8, b"\x03\xe8\xff"), 1007),  # no UTF-8
        (bytes([0x82, 127]) + (1 << 40).to_bytes(8, "big"), 1009),  # too large to be true
        (server_frame(2, b"x" * LONGEST, False) + server_frame(0, b"x"), 1009),
    ],
)
def test_what_breaks_the_protocol_is_refused_with_the_right_code(data: bytes, code: int) -> None:
    with pytest.raises(ProtocolError) as caught:
        read(data)
    assert caught.value.code == code


def test_the_handshake_of_the_rfc_is_accepted() -> None:
    key = "dGhlIHNhbXBsZSBub25jZQ=="
    assert handshake.accept_for(key) == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    answer = (
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: Upgrade\r\n"
        b"sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
    )
    handshake.check(answer, key)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        (b"SSH-2.0-OpenSSH", 0),
        (b"", 0),
        (b"HTTP/1.1 403 Forbidden", 403),
        (b"HTTP/1.1 101 Switching Protocols", 101),
        (b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: other", 101),
        (b"HTTP/1.1 101 x\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: "
         + handshake.accept_for("k").encode() + b"\r\nSec-WebSocket-Extensions: deflate", 101),
    ],
)
def test_other_answers_are_refused(answer: bytes, status: int) -> None:
    with pytest.raises(handshake.Refused) as caught:
        handshake.check(answer, "k")
    assert caught.value.status == status


def test_a_header_cannot_forge_another() -> None:
    with pytest.raises(ValueError):
        handshake.request("h", "/", "k", {"Authorization": "token x\r\nEvil: 1"})


Behaviour = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def meet(behaviour: Behaviour) -> WebSocket:
    """A WebSocket to a server that behaves so after the handshake."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        key = next(line[19:] for line in head.split("\r\n") if line.startswith("Sec-WebSocket-Key: "))
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + handshake.accept_for(key).encode() + b"\r\n\r\n"
        )
        try:
            await behaviour(reader, writer)
            await writer.drain()
        finally:
            writer.close()
            server.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    return await WebSocket.open("127.0.0.1", port, "/")


@asynchronous
async def test_a_ping_is_answered_and_a_farewell_is_returned() -> None:
    heard: list[bytes] = []

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(server_frame(frames.PING, b"are you there"))
        writer.write(server_frame(frames.TEXT, b"hello"))
        head = await reader.readexactly(6)
        heard.append(frames.masked(await reader.readexactly(head[1] & 0x7F), head[2:6]))
        writer.write(server_frame(frames.CLOSE, b"\x03\xe9going"))
        head = await reader.readexactly(6)
        heard.append(head[:1])

    line = await meet(server)
    assert await line.receive() == "hello"
    assert await line.receive() is None
    assert line.closed_by_peer == Close(1001, "going")
    while len(heard) < 2:
        await asyncio.sleep(0.01)
    assert heard == [b"are you there", bytes([0x88])]


@asynchronous
async def test_a_connection_cut_off_is_an_error_not_an_end() -> None:
    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(server_frame(frames.TEXT, b"whole") + b"\x81\x7d half")

    line = await meet(server)
    assert await line.receive() == "whole"
    with pytest.raises(ConnectionError):
        await line.receive()
    line.abort()


@asynchronous
async def test_a_server_that_breaks_the_protocol_is_told_why() -> None:
    told: list[int] = []

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(server_frame(frames.TEXT, b"\xff"))
        await writer.drain()
        head = await reader.readexactly(8)
        told.append(int.from_bytes(frames.masked(head[6:8], head[2:6]), "big"))

    line = await meet(server)
    with pytest.raises(ProtocolError):
        await line.receive()
    while not told:
        await asyncio.sleep(0.01)
    assert told == [1007]


@asynchronous
async def test_a_large_message_passes_both_ways() -> None:
    size = 12 << 20

    async def server(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readexactly(14)
        assert int.from_bytes(head[2:10], "big") == size
        payload = frames.masked(await reader.readexactly(size), head[10:14])
        writer.write(server_frame(frames.TEXT, payload))
        await writer.drain()
        await reader.read(1)

    line = await meet(server)
    await line.send("x" * size)
    assert await line.receive() == "x" * size
    await line.close()


@asynchronous
async def test_what_is_no_websocket_server_is_refused() -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(handshake.Refused, match="404"):
        await WebSocket.open("127.0.0.1", port, "/")
    server.close()
