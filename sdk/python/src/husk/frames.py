"""Reads a streamed answer: frames, each a byte for its kind, four for its length, and the payload."""

from __future__ import annotations

from typing import Callable, Iterator

MEDIA_TYPE = "application/vnd.husk.frames"
STDOUT, STDERR, EVENT, RESULT, HEARTBEAT, PROBLEM = b"O", b"E", b"J", b"R", b"H", b"P"

_KINDS = {STDOUT, STDERR, EVENT, RESULT, HEARTBEAT, PROBLEM}
_HEAD = 5
_LONGEST = 1 << 29


class NotAFrame(EOFError):
    """The stream holds something else, or ends too early: it is as good as lost."""


def frames(read: Callable[[], bytes]) -> Iterator[tuple[bytes, bytes]]:
    """Kind and payload of every frame.

    Args:
        read: Gives the next bytes, however many; none at the end.
    """
    rest = bytearray()
    while True:
        while len(rest) < _HEAD or len(rest) < _HEAD + _length(rest):
            more = read()
            if not more:
                if rest:
                    raise NotAFrame("the stream ended in the middle of a frame")
                return
            rest += more
        end = _HEAD + _length(rest)
        kind, payload = bytes(rest[:1]), bytes(rest[_HEAD:end])
        del rest[:end]
        yield kind, payload


def _length(head: bytearray) -> int:
    length = int.from_bytes(head[1:_HEAD], "big")
    if bytes(head[:1]) not in _KINDS or length > _LONGEST:
        raise NotAFrame("the stream holds something that is not a frame")
    return length
