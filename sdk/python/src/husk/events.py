"""What is heard of a running execution, in order; ``Ended`` is always the last."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Union

from husk.model import ExecutionResult, OutputItem


@dataclass
class Started:
    """The cell began to run; its clock starts here."""

    execution_id: str
    at: str


@dataclass
class Stream:
    """Text written to ``stdout`` or ``stderr``, never cut."""

    name: str
    text: str


@dataclass
class Display:
    """Something shown: a display, or the value of the last expression."""

    item: OutputItem


@dataclass
class DisplayUpdated:
    """A display shown earlier has changed."""

    display_id: str
    item: OutputItem


@dataclass
class Cleared:
    """What was shown so far is to be cleared, at once or, with ``wait``, before the next output."""

    wait: bool


@dataclass
class Ended:
    """It is over."""

    result: ExecutionResult


Event = Union[Started, Stream, Display, DisplayUpdated, Cleared, Ended]


def read_event(payload: bytes) -> Event | None:
    """The event in a frame; None for one that only a newer Husk knows."""
    event = json.loads(payload)
    kind = event.get("event")
    if kind == "started":
        return Started(event["execution_id"], event["at"])
    if kind == "display":
        return Display(OutputItem.from_dict(event["item"]))
    if kind == "display_updated":
        return DisplayUpdated(event["display_id"], OutputItem.from_dict(event["item"]))
    if kind == "cleared":
        return Cleared(bool(event.get("wait")))
    return None
