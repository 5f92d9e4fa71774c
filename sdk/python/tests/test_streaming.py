"""The frames of a stream, to the byte, and what is told after a loss."""

from __future__ import annotations

import random
from typing import Callable

import pytest

from husk.events import Cleared, Display, Ended, Event, Stream
from husk.frames import NotAFrame, frames
from husk.hearing import Hearing
from husk.model import ExecutionResult, OutputItem


def frame(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


def cut(data: bytes, chance: random.Random) -> Callable[[], bytes]:
    pieces = iter(_pieces(data, chance))
    return lambda: next(pieces, b"")


def _pieces(data: bytes, chance: random.Random) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        step = chance.choice((1, 2, 5, 100, 10_000))
        found.append(data[at : at + step])
        at += step
    return found


@pytest.mark.parametrize("seed", range(30))
def test_frames_survive_any_cutting(seed: int) -> None:
    chance = random.Random(seed)
    expected = [
        (chance.choice((b"O", b"E", b"J", b"H", b"R")), chance.randbytes(chance.choice((0, 1, 5, 5000))))
        for _ in range(chance.randrange(8))
    ]
    data = b"".join(frame(*one) for one in expected)
    assert list(frames(cut(data, chance))) == expected


def test_a_stream_that_ends_in_a_frame_is_a_loss() -> None:
    data = frame(b"O", b"whole") + frame(b"O", b"half")[:-1]
    read = frames(cut(data, random.Random(0)))
    assert next(read) == (b"O", b"whole")
    with pytest.raises(NotAFrame):
        next(read)


@pytest.mark.parametrize("data", [b"X\0\0\0\0", b"O\xff\xff\xff\xff", b"<html>"])
def test_what_is_no_frame_is_a_loss(data: bytes) -> None:
    with pytest.raises(NotAFrame):
        list(frames(cut(data, random.Random(0))))


def stream(text: str, name: str = "stdout") -> OutputItem:
    return OutputItem("stream", text, name)


def shown(text: str) -> OutputItem:
    return OutputItem("display_data", text)


def told_after(heard: list[Event], outputs: list[OutputItem]) -> list[Event]:
    hearing = Hearing()
    for event in heard:
        hearing.heard(event)
    events = list(hearing.catch_up(ExecutionResult("success", outputs=outputs)))
    assert isinstance(events.pop(), Ended)
    return events


def test_only_what_was_not_heard_is_told() -> None:
    outputs = [stream("abc"), stream("x", "stderr"), shown("1"), stream("def"), shown("2")]
    heard: list[Event] = [Stream("stdout", "ab"), Stream("stderr", "x"), Display(shown("1"))]
    assert told_after(heard, outputs) == [Stream("stdout", "c"), Stream("stdout", "def"), Display(shown("2"))]
    assert told_after([], outputs[:1]) == [Stream("stdout", "abc")]


def test_colours_do_not_count_as_heard() -> None:
    assert told_after([Stream("stdout", "\x1b[31mab\x1b[0m")], [stream("abc")]) == [Stream("stdout", "c")]


def test_what_was_cleared_does_not_count_as_heard() -> None:
    heard: list[Event] = [Stream("stdout", "old"), Display(shown("old")), Cleared(False)]
    assert told_after(heard, [stream("new")]) == [Stream("stdout", "new")]
    waiting: list[Event] = [Stream("stdout", "a"), Cleared(True), Stream("stdout", "n")]
    assert told_after(waiting, [stream("new")]) == [Stream("stdout", "ew")]


def test_a_result_that_was_cut_tells_nothing_twice() -> None:
    assert told_after([Stream("stdout", "x" * 100)], [stream("x" * 10)]) == []
