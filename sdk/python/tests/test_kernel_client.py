"""ipybox's client, against Husk and against Jupyter's own Kernel Gateway."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
from pathlib import Path
from typing import Any, AsyncIterator

import pytest

from husk.kernel_mgr import ExecutionError, ExecutionResult, ExecutionTimeout, KernelClient, KernelDied
from support import asynchronous

from test_rich import PIXEL, SHOW_PIXEL

@contextlib.asynccontextmanager
async def connected(gateway: tuple[str, int], tmp_path: Path) -> AsyncIterator[KernelClient]:
    async with KernelClient(*gateway, images_dir=tmp_path / "images") as client:
        yield client


@asynchronous
async def test_the_documented_example_works(gateway: tuple[str, int], tmp_path: Path) -> None:
    async with connected(gateway, tmp_path) as client:
        result = await client.execute("print('hello')")
        assert result.text == "hello"
        assert result.images == []
        items = [item async for item in client.stream("print('hello')")]
        assert "".join(item for item in items[:-1] if isinstance(item, str)) == "hello\n"
        assert items[-1] == result


@asynchronous
async def test_state_lasts_until_the_reset(gateway: tuple[str, int], tmp_path: Path) -> None:
    async with connected(gateway, tmp_path) as client:
        await client.execute("x = 41")
        assert (await client.execute("x + 1")).text == "42"
        before = client.kernel_id
        await client.reset()
        assert client.kernel_id != before
        with pytest.raises(ExecutionError, match="NameError"):
            await client.execute("x")


@asynchronous
async def test_no_output_is_none(husk_gateway: tuple[str, int], tmp_path: Path) -> None:
    async with connected(husk_gateway, tmp_path) as client:
        assert (await client.execute("pass")).text is None


@asynchronous
async def test_text_is_in_order_and_what_is_shown_stands_apart(
    gateway: tuple[str, int], tmp_path: Path
) -> None:
    code = "import sys\nprint(' a')\nprint('b', file=sys.stderr, end='')\ndisplay(1)\ndisplay(2)\n3"
    async with connected(gateway, tmp_path) as client:
        result = await client.execute(code)
        assert result.raw_text == " a\nb\n1\n2\n3"
        assert result.text == "a\nb\n1\n2\n3"
        assert [output["type"] for output in result.outputs] == [
            "stream",
            "stream",
            "display_data",
            "display_data",
            "execute_result",
        ]


@asynchronous
async def test_chunks_come_while_the_code_runs(gateway: tuple[str, int], tmp_path: Path) -> None:
    go = tmp_path / "go"
    code = f"""
import os, time
print("first", flush=True)
while not os.path.exists({str(go)!r}): time.sleep(0.01)
print("second")
"""
    chunks: list[Any] = []
    async with connected(gateway, tmp_path) as client:
        async for item in client.stream(code):
            chunks.append(item)
            go.touch()
    assert chunks[0] == "first\n"
    assert chunks[-1].text == "first\nsecond"


@asynchronous
async def test_pictures_are_saved_where_they_were_asked_for(
    husk_gateway: tuple[str, int], tmp_path: Path
) -> None:
    svg = "display({'image/svg+xml': '<svg/>'}, raw=True)\n"
    both = f"display({{'image/gif': {PIXEL!r}, 'image/png': {PIXEL!r}}}, raw=True)\n"
    broken = "display({'image/png': 'no base64!'}, raw=True)\n"
    async with connected(husk_gateway, tmp_path) as client:
        result = await client.execute(SHOW_PIXEL + svg + both + broken)
    assert [path.suffix for path in result.images] == [".png", ".svg", ".png"]
    assert all(path.parent == tmp_path / "images" for path in result.images)
    assert result.images[0].read_bytes().startswith(b"\x89PNG")
    assert result.images[1].read_text() == "<svg/>"
    assert len(result.images[0].stem) == 8


@asynchronous
async def test_what_came_before_an_error_is_on_the_error(
    gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(gateway, tmp_path) as client:
        with pytest.raises(ExecutionError) as caught:
            await client.execute(f"print('before')\n{SHOW_PIXEL}1/0")
        error = caught.value
        assert str(error).startswith("ZeroDivisionError: division by zero\n")
        assert "Traceback" in str(error) and "\x1b" not in str(error)
        assert (error.ename, error.evalue) == ("ZeroDivisionError", "division by zero")
        assert error.text == "before\na pixel"
        assert error.result.images == error.images
        assert [path.suffix for path in error.images] == [".png"]
        assert (await client.execute("1 + 1")).text == "2"


@asynchronous
async def test_a_timeout_interrupts_and_keeps_what_was_printed(
    gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(gateway, tmp_path) as client:
        with pytest.raises(ExecutionTimeout) as caught:
            await client.execute("y = 1\nprint('begun', flush=True)\nwhile True: pass", timeout=1)
        assert caught.value.text == "begun"
        assert isinstance(caught.value, TimeoutError)
        assert isinstance(caught.value, asyncio.TimeoutError)
        assert (await client.execute("y", timeout=None)).text == "1"


@asynchronous
async def test_code_that_heeds_no_interrupt_does_not_hold_its_caller(
    husk_gateway: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("husk.kernel_mgr.client._GRACE", 0.5)
    stubborn = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    async with connected(husk_gateway, tmp_path) as client:
        for code in (stubborn, "'behind it'"):
            with pytest.raises(ExecutionTimeout, match="does not heed"):
                await client.execute(code, timeout=0.5)
        await client.reset()
        assert (await client.execute("1")).text == "1"


@asynchronous
async def test_executions_at_once_each_get_their_own_output(
    gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(gateway, tmp_path) as client:
        codes = [f"import time; time.sleep(0.02); print({n}); 1 // ({n} % 5)" for n in range(10)]
        results = await asyncio.gather(*map(client.execute, codes), return_exceptions=True)
    for number, result in enumerate(results):
        failed = number % 5 == 0
        assert isinstance(result, ExecutionError if failed else ExecutionResult)
        assert result.text == (str(number) if failed else f"{number}\n{1 // (number % 5)}")


@asynchronous
async def test_the_clock_of_an_execution_starts_at_its_turn(
    husk_gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(husk_gateway, tmp_path) as client:
        codes = ["import time; time.sleep(1.2); print('through')"] * 4
        results = await asyncio.gather(*(client.execute(code, timeout=4) for code in codes))
    assert [result.text for result in results] == ["through"] * 4


@asynchronous
async def test_code_can_be_executed_while_a_stream_is_half_read(
    husk_gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(husk_gateway, tmp_path) as client:
        texts = []
        async for item in client.stream("print('a', flush=True)\nimport time; time.sleep(0.2); print('b')"):
            texts.append(item if isinstance(item, str) else item.text)
            if item == "a\n":
                assert (await client.execute("'between'")).text == "'between'"
        assert texts[0] == "a\n" and texts[-1] == "a\nb"


@asynchronous
async def test_a_cancelled_task_interrupts_its_code(gateway: tuple[str, int], tmp_path: Path) -> None:
    async with connected(gateway, tmp_path) as client:
        mark = tmp_path / "mark"
        code = f"z = 1\nopen({str(mark)!r}, 'w').close()\nimport time; time.sleep(600)"
        task = asyncio.ensure_future(client.execute(code, timeout=None))
        while not mark.exists():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await client.execute("z")).text == "1"


@asynchronous
async def test_who_leaves_a_stream_interrupts_its_code(
    husk_gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(husk_gateway, tmp_path) as client:
        stream = client.stream("w = 1\nwhile True: print('.', flush=True)")
        await stream.__anext__()
        await stream.aclose()  # type: ignore[attr-defined]
        assert (await client.execute("w")).text == "1"


@asynchronous
async def test_an_interrupt_from_outside_is_an_error_of_the_code(
    husk_gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(husk_gateway, tmp_path) as client:
        with pytest.raises(ExecutionError) as caught:
            async for item in client.stream("print('on', flush=True)\nimport time; time.sleep(600)"):
                await client.interrupt()
        assert caught.value.ename == "KeyboardInterrupt"


@asynchronous
async def test_the_death_of_a_kernel_is_told_with_its_last_words(
    gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(gateway, tmp_path) as client:
        code = "import os, time\nprint('bye', flush=True)\ntime.sleep(0.5)\nos._exit(1)"
        with pytest.raises(KernelDied) as caught:
            await client.execute(code, timeout=None)
        assert isinstance(caught.value, ExecutionError)
        assert caught.value.text == "bye"
        await client.reset()
        assert (await client.execute("1")).text == "1"


@asynchronous
async def test_a_value_over_ten_megabytes_passes(gateway: tuple[str, int], tmp_path: Path) -> None:
    async with connected(gateway, tmp_path) as client:
        result = await client.execute("'x' * 12_000_000")
        assert result.text is not None
        assert len(result.text) == 12_000_002


@asynchronous
async def test_input_is_refused_instead_of_waited_for(
    husk_gateway: tuple[str, int], tmp_path: Path
) -> None:
    async with connected(husk_gateway, tmp_path) as client:
        with pytest.raises(ExecutionError, match="StdinNotImplemented"):
            await client.execute("input()")


@asynchronous
async def test_a_broken_line_is_mended_and_nothing_is_lost(
    gateway: tuple[str, int], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code = "import time\nfor i in range(10): print(i, flush=True); time.sleep(0.1)\nruns = globals().get('runs', 0) + 1"
    with caplog.at_level(logging.INFO, "husk.kernel_mgr"):
        async with connected(gateway, tmp_path) as client:
            items = []
            async for item in client.stream(code):
                items.append(item)
                if item == "3\n":
                    assert client._channels is not None and client._channels._line is not None
                    client._channels._line.abort()
            assert items[-1].text == "\n".join(map(str, range(10)))  # type: ignore[union-attr]
            assert (await client.execute("runs")).text == "1"
    assert "the line to the kernel broke" in caplog.text


@asynchronous
async def test_a_slow_reader_holds_the_line_back_and_loses_nothing(
    husk_gateway: tuple[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("husk.kernel_mgr.channels._MOST_UNREAD", 1 << 16)
    size, most = 0, 0
    async with connected(husk_gateway, tmp_path) as client:
        assert client._channels is not None
        async for item in client.stream("for i in range(300): print('x' * 9_999, flush=True)"):
            most = max(most, client._channels._unread)
            if isinstance(item, str):
                size += len(item)
                await asyncio.sleep(0.001)
    assert size == 300 * 10_000
    assert 0 < most < 1 << 20


@asynchronous
async def test_a_kernel_that_somebody_deletes_is_told(
    gateway: tuple[str, int], tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    # Jupyter's own gateway interrupts a kernel before it ends it, and the cell may hear of that first.
    told = (KernelDied, ExecutionError) if "jupyter" in request.node.name else KernelDied
    async with KernelClient(*gateway, ping_interval=0.2) as client:
        running = asyncio.ensure_future(client.execute("import time; time.sleep(600)", timeout=None))
        await asyncio.sleep(0.5)
        await client._rest.delete(client.kernel_id)
        with pytest.raises(told):
            await running


@asynchronous
async def test_nothing_is_left_behind(gateway: tuple[str, int], tmp_path: Path) -> None:
    before = asyncio.all_tasks()
    async with connected(gateway, tmp_path) as client:
        kernel_id = client.kernel_id
        await client.execute("1")
        assert await client._rest.exists(kernel_id)
    assert not await client._rest.exists(kernel_id)
    assert asyncio.all_tasks() == before
    with pytest.raises(RuntimeError, match="Not connected"):
        await client.execute("1")


@asynchronous
async def test_a_client_that_is_not_connected_says_so() -> None:
    client = KernelClient()
    with pytest.raises(RuntimeError, match="Not connected to kernel"):
        client.kernel_id
    with pytest.raises(RuntimeError, match="Not connected to kernel"):
        await client.execute("1")
    await client.disconnect()


@asynchronous
async def test_the_cause_of_a_failed_connection_is_said(free_port: int) -> None:
    client = KernelClient("127.0.0.1", free_port)
    with pytest.raises(RuntimeError, match="Failed to create kernel.*refused") as caught:
        await client.connect(retries=2, retry_interval=0.01)
    assert isinstance(caught.value.__cause__, ConnectionRefusedError)


@asynchronous
async def test_an_unknown_kernel_is_refused_at_once(gateway: tuple[str, int]) -> None:
    with pytest.raises(RuntimeError, match="Failed to create kernel"):
        await KernelClient(*gateway, kernel_name="cobol").connect(retries=1)


@asynchronous
async def test_times_that_are_none_are_refused(husk_gateway: tuple[str, int], tmp_path: Path) -> None:
    async with connected(husk_gateway, tmp_path) as client:
        for wrong in (-1, float("nan")):
            with pytest.raises(ValueError, match="no length of time"):
                await client.execute("1", timeout=wrong)
        with pytest.raises(RuntimeError, match="Already connected"):
            await client.connect()


def test_the_constructor_is_ipyboxs() -> None:
    parameters = list(inspect.signature(KernelClient).parameters.values())
    assert [(p.name, p.default) for p in parameters[:4]] == [
        ("host", "localhost"),
        ("port", 8888),
        ("images_dir", None),
        ("ping_interval", 10),
    ]
    assert KernelClient().images_dir == Path("images")
    assert inspect.signature(KernelClient.execute).parameters["timeout"].default == 120
    assert inspect.signature(KernelClient.stream).parameters["timeout"].default == 120
    connect = inspect.signature(KernelClient.connect).parameters
    assert (connect["retries"].default, connect["retry_interval"].default) == (10, 1.0)
