"""Runs code until it succeeds, asking after each failure what to run next."""

from __future__ import annotations

from dataclasses import replace
from typing import Callable

from husk.errors import InvalidRequest
from husk.model import ExecutionResult


def retry(
    code: str,
    max_attempts: int,
    run: Callable[[str], ExecutionResult],
    on_error_fn: Callable[[ExecutionResult, int], str | None],
) -> ExecutionResult:
    if max_attempts < 1:
        raise InvalidRequest(
            f"max_attempts is {max_attempts}, but must be at least 1",
            ["leave it out for the configured number"],
        )
    attempts = []
    for attempt in range(1, max_attempts + 1):
        result = run(code)
        attempts.append(result.snapshot(attempt, code))
        if result.ok or result.status == "cancelled":
            return replace(result, attempts=attempts)
        if attempt < max_attempts:
            code = _next_code(code, on_error_fn(result, attempt))
    return replace(result, status="max_attempts_exceeded", attempts=attempts)


def _next_code(code: str, answer: str | None) -> str:
    if answer is not None and not isinstance(answer, str):
        raise TypeError(
            f"on_error_fn gave {type(answer).__name__}; it must give code, or None to try again"
        )
    return code if answer is None else answer
