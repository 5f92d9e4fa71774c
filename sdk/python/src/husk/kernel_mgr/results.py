"""What an execution gives, and what it raises."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Sequence

from husk.hearing import ANSI


@dataclass
class ExecutionResult:
    """The result of a code execution.

    Attributes:
        text: Output text generated during execution, in order, without white space around it.
        images: List of paths to images generated during execution.
        raw_text: The same text with all its white space.
        outputs: Every output as the kernel sent it, in order: ``{"type": "stream", "name", "text"}`` or
            ``{"type": "display_data" | "execute_result", "data", "metadata"}`` with all MIME types.
    """

    text: str | None
    images: list[Path]
    raw_text: str = ""
    outputs: list[dict[str, Any]] = field(default_factory=list, repr=False)


class _WithResult:
    """What was printed and drawn until then is on the error."""

    result: ExecutionResult

    @property
    def text(self) -> str | None:
        return self.result.text

    @property
    def images(self) -> list[Path]:
        return self.result.images


class ExecutionError(_WithResult, Exception):
    """Raised when code executed in an IPython kernel raises an error.

    Attributes:
        ename, evalue, traceback: What the code raised; the traceback carries no colour codes.
        result: What was printed and drawn before; also as ``text`` and ``images``.
    """

    def __init__(
        self,
        ename: str,
        evalue: str = "",
        traceback: Sequence[str] = (),
        result: ExecutionResult | None = None,
    ) -> None:
        self.ename = ename
        self.evalue = evalue
        self.traceback = [ANSI.sub("", line) for line in traceback]
        self.result = result or ExecutionResult(None, [])
        head = f"{ename}: {evalue}" if evalue else ename
        super().__init__("\n".join([head, *self.traceback]))


class KernelDied(ExecutionError):
    """The kernel, or all trace of what it did, was lost while the code ran."""


if TYPE_CHECKING:
    _Timeout = TimeoutError
else:
    # Before Python 3.11 these are two; callers catch the one or the other.
    _Timeout = type("_Timeout", tuple({TimeoutError, asyncio.TimeoutError}), {})


class ExecutionTimeout(_WithResult, _Timeout):
    """The code ran longer than allowed, and was interrupted; its kernel and variables live on."""

    def __init__(self, seconds: float, result: ExecutionResult, heeded: bool) -> None:
        self.result = result
        end = "was interrupted" if heeded else "does not heed interrupts; reset() ends it"
        super().__init__(f"the code ran longer than {seconds:g} s and {end}")
