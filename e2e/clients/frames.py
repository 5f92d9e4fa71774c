"""Messages as WebSocket frames: Jupyter's default sub-protocol, and version 1."""

import json
import struct

V1 = "v1.kernel.websocket.jupyter.org"
PARTS = ("header", "parent_header", "metadata", "content")


def encode(message: dict, buffers=(), protocol=None):
    """Text where the sub-protocol has it, bytes otherwise."""
    if protocol == V1:
        parts = [message["channel"].encode(), *(json.dumps(message[p]).encode() for p in PARTS)]
        return with_offsets([*parts, *buffers], "<Q", past_the_end=True)
    whole = json.dumps(message)
    return with_offsets([whole.encode(), *buffers], ">I") if buffers else whole


def with_offsets(parts: list, number: str, past_the_end: bool = False) -> bytes:
    """Version 1 counts its offsets, of which the last is the end; the default counts parts."""
    count = len(parts) + past_the_end
    at = struct.calcsize(number) * (count + 1)
    table = [struct.pack(number, count)]
    for part in parts:
        table.append(struct.pack(number, at))
        at += len(part)
    if past_the_end:
        table.append(struct.pack(number, at))
    return b"".join([*table, *parts])


def decode(frame: bytes, protocol=None) -> dict:
    if protocol == V1:
        channel, *parts = split(frame, "<Q", past_the_end=True)
        message = dict(zip(PARTS, (json.loads(part) for part in parts[:4])))
        return {**message, "channel": channel.decode(), "buffers": parts[4:]}
    whole, *buffers = split(frame, ">I")
    return {**json.loads(whole), "buffers": buffers}


def split(frame: bytes, number: str, past_the_end: bool = False) -> list:
    size = struct.calcsize(number)
    (count,) = struct.unpack_from(number, frame)
    ends = [struct.unpack_from(number, frame, size * (i + 1))[0] for i in range(count)]
    if not past_the_end:
        ends.append(len(frame))
    return [frame[begin:end] for begin, end in zip(ends, ends[1:])]
