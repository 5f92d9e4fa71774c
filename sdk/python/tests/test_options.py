"""Every way to a call takes what the call takes."""

from __future__ import annotations

import inspect
from typing import Any, Callable

import pytest

import husk
from husk import options
from husk.aio import AsyncHusk
from husk.async_files import AsyncSandboxFiles
from husk.async_lines import AsyncForward, AsyncRunningCommand
from husk.async_sandbox import AsyncSandbox
from husk.commands import Forward, RunningCommand
from husk.sandbox_files import SandboxFiles

KEYWORDS: list[tuple[Any, Callable[..., Any]]] = [
    (options.KernelOptions, husk.Husk.get_or_create),
    (options.NewKernelOptions, husk.Husk.create),
    (options.SandboxOptions, husk.Husk.create_sandbox),
    (options.ExecuteOptions, husk.Husk.execute),
    (options.StreamOptions, husk.Husk.stream),
    (options.RetryOptions, husk.Husk.execute_with_retry),
    (options.BestOfOptions, husk.Husk.best_of),
    (options.CommandOptions, husk.Sandbox.stream),
    (options.CommandOptions, husk.Sandbox.detach),
    (options.LineOptions, husk.Sandbox.begin),
]

TWINS = [
    (husk.Husk, AsyncHusk),
    (husk.Sandbox, AsyncSandbox),
    (SandboxFiles, AsyncSandboxFiles),
    (RunningCommand, AsyncRunningCommand),
    (Forward, AsyncForward),
]

# Halves of others, for whoever cannot call the whole.
HALVES = {"attempt", "attempts", "event_pages"}


@pytest.mark.parametrize(("keywords", "call"), KEYWORDS)
def test_the_keywords_are_those_of_the_call(keywords: Any, call: Callable[..., Any]) -> None:
    taken = inspect.signature(call).parameters.values()
    assert set(keywords.__annotations__) == {p.name for p in taken if p.kind is p.KEYWORD_ONLY}


@pytest.mark.parametrize(("plain", "twin"), TWINS)
def test_the_asynchronous_twin_has_every_call(plain: type, twin: type) -> None:
    assert _calls(plain) - HALVES <= _calls(twin)


def _calls(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def test_the_module_has_every_call_of_a_husk() -> None:
    assert _calls(husk.Husk) - HALVES - {"close"} <= set(husk.__all__)


def test_a_keyword_that_no_call_takes_is_refused_before_anything_is_asked() -> None:
    with pytest.raises(TypeError, match="timout"):
        husk.execute("kernel", "1", timout=3)  # type: ignore[call-arg]
