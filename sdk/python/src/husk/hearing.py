"""Remembers how far a listener has been told, so that the rest can come from the result."""

from __future__ import annotations

import re
from typing import Iterator

from husk.events import Cleared, Display, Ended, Event, Stream
from husk.model import ExecutionResult, OutputItem

ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\^_])")
"""Colour codes and their like, which results do not carry."""


class Hearing:
    def __init__(self) -> None:
        self._streamed: dict[str, int] = {}
        self._displays = 0
        self._clear_before_next = False

    def heard(self, event: Event) -> None:
        if isinstance(event, Stream):
            self._clear_if_asked()
            heard = self._streamed.get(event.name, 0)
            self._streamed[event.name] = heard + len(ANSI.sub("", event.text))
        elif isinstance(event, Display):
            self._clear_if_asked()
            self._displays += 1
        elif isinstance(event, Cleared):
            self._clear_before_next = True
            if not event.wait:
                self._clear_if_asked()

    def _clear_if_asked(self) -> None:
        """A result holds nothing of what was cleared."""
        if self._clear_before_next:
            self._clear_before_next = False
            self._streamed.clear()
            self._displays = 0

    def catch_up(self, result: ExecutionResult) -> Iterator[Event]:
        """What has not been heard yet of an execution that has ended."""
        known = dict(self._streamed)
        shown = self._displays
        for item in result.outputs:
            if item.kind == "stream":
                yield from _unheard(item, known)
            elif item.kind != "error":
                if shown <= 0:
                    yield Display(item)
                shown -= 1
        yield Ended(result)


def _unheard(item: OutputItem, known: dict[str, int]) -> Iterator[Stream]:
    name, text = item.name or "stdout", item.text or ""
    heard = min(known.get(name, 0), len(text))
    known[name] = known.get(name, 0) - heard
    if heard < len(text):
        yield Stream(name, text[heard:])
