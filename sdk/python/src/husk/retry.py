"""Runs code until it succeeds, asking after each failure what to run next."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable

from husk.errors import InvalidRequest
from husk.model import AttemptSnapshot, ExecutionResult


class Attempts:
    """What was tried, and what is tried next; nothing once ``code`` is None."""

    def __init__(self, code: str, most: int) -> None:
        if most < 1:
            raise InvalidRequest(
                f"max_attempts is {most}, but must be at least 1",
                ["leave it out for the configured number"],
            )
        self.code: str | None = code
        self._most = most
        self._made: list[AttemptSnapshot] = []

    @property
    def count(self) -> int:
        return len(self._made)

    def another(self, result: ExecutionResult) -> bool:
        """Takes note of an attempt; whether there is to be another."""
        self.latest = result
        self._made.append(result.snapshot(self.count + 1, self.code or ""))
        over = result.ok or result.status == "cancelled"
        status = result.status if over else "max_attempts_exceeded"
        self.result = replace(result, status=status, attempts=list(self._made))
        if over or self.count == self._most:
            self.code = None
        return self.code is not None

    def mend(self, answer: str | None) -> None:
        """What the next attempt runs; None for the same again."""
        if answer is not None and not isinstance(answer, str):
            raise TypeError(
                f"on_error_fn gave {type(answer).__name__}; it must give code, or None to try again"
            )
        self.code = self.code if answer is None else answer


def retry(
    code: str,
    max_attempts: int,
    run: Callable[[str], ExecutionResult],
    on_error_fn: Callable[[ExecutionResult, int], str | None],
) -> ExecutionResult:
    attempts = Attempts(code, max_attempts)
    while attempts.code is not None:
        if attempts.another(run(attempts.code)):
            attempts.mend(on_error_fn(attempts.latest, attempts.count))
    return attempts.result
