"""The asynchronous twin of the library."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

import husk
from husk.aio import AsyncHusk
from support import asynchronous


@asynchronous
async def test_it_does_what_the_synchronous_one_does(name: str) -> None:
    async with AsyncHusk() as own:
        kernel = await own.get_or_create(name)
        assert (await own.execute(kernel, "x = 1; x + 1")).return_value == "2"
        events = [type(e).__name__ async for e in own.stream(kernel, "print(x)")]
        assert events == ["Started", "Stream", "Ended"]
        assert (await own.status(kernel)).alive
        assert len(await own.list_kernels()) == 1
        assert await own.destroy(kernel)
        with pytest.raises(husk.KernelNotFound):
            await own.execute(kernel, "1")


@asynchronous
async def test_many_executions_wait_at_once(name: str, tmp_path: Path) -> None:
    go = tmp_path / "go"
    code = f"import os, time\nwhile not os.path.exists({str(go)!r}): time.sleep(0.01)\nn = globals().get('n', 0) + 1"
    async with AsyncHusk() as own:
        kernel = await own.get_or_create(name)
        waiting = [asyncio.ensure_future(own.execute(kernel, code)) for _ in range(20)]
        await asyncio.sleep(0.3)
        go.touch()
        assert all(result.ok for result in await asyncio.gather(*waiting))
        assert (await own.execute(kernel, "n")).return_value == "20"


@asynchronous
async def test_a_cancelled_task_cancels_its_execution(name: str, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    code = f"y = 1\nopen({str(mark)!r}, 'w').close()\nimport time; time.sleep(600)"
    async with AsyncHusk() as own:
        task = asyncio.ensure_future(own.execute(name, code, execution_id="c" * 32))
        while not mark.exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await own.result("c" * 32)).status == "cancelled"
        assert (await own.execute(name, "y")).return_value == "1"


@asynchronous
async def test_who_leaves_a_stream_cancels_its_execution(name: str) -> None:
    async with AsyncHusk() as own:
        await own.get_or_create(name)
        stream = own.stream(name, "z = 1\nwhile True: print('.', flush=True)", execution_id="d" * 32)
        async for event in stream:
            if isinstance(event, husk.Stream):
                break
        await stream.aclose()  # type: ignore[attr-defined]
        assert (await own.result("d" * 32)).status == "cancelled"


@asynchronous
async def test_a_retry_asks_a_coroutine_what_to_run_next(name: str) -> None:
    async def mend(result: husk.ExecutionResult, attempt: int) -> str:
        await asyncio.sleep(0)
        return "40 + 2"

    async with AsyncHusk() as own:
        result = await own.execute_with_retry(name, "1 / 0", mend)
        assert result.return_value == "42"
        assert [attempt.code for attempt in result.attempts] == ["1 / 0", "40 + 2"]
        failed = await own.execute_with_retry(name, "1 / 0", lambda _, __: None, max_attempts=2)
        assert failed.status == "max_attempts_exceeded"


@asynchronous
async def test_a_transaction_takes_back_what_it_did_when_it_is_left_by_an_exception(
    name: str,
) -> None:
    async with AsyncHusk() as own:
        await own.execute(name, "x = 1")
        with pytest.raises(ZeroDivisionError):
            async with own.transaction(name):
                await own.execute(name, "x = 2")
                raise ZeroDivisionError
        assert (await own.execute(name, "x")).return_value == "1"
        assert await own.checkpoints(name) == []


@asynchronous
async def test_the_best_is_chosen_by_a_coroutine(name: str) -> None:
    async with AsyncHusk() as own:

        async def score(fork: husk.KernelRecord, result: husk.ExecutionResult) -> float:
            return float((await own.execute(fork, "y")).return_value or 0)

        await own.execute(name, "y = 0")
        await own.best_of(name, ["y = 1", "y = 3", "y = 2"], score=score)
        assert (await own.execute(name, "y")).return_value == "3"
