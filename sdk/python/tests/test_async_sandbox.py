"""Sandboxes in asynchronous programs."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

import pytest

from husk import CommandEnd, Output
from husk.aio import AsyncHusk
from support import asynchronous


@asynchronous
async def test_commands_and_files_are_awaited(tmp_path: Path) -> None:
    async with AsyncHusk() as own, await own.create_sandbox() as box:
        assert (await box.exec(["cat"], input="hello")).stdout == "hello"
        await box.files.write("/workspace/a.txt", "some text")
        assert await box.files.read_text("/workspace/a.txt") == "some text"
        async with box.files.open("/workspace/a.txt") as opened:
            assert await opened.read(4) == b"some"
        assert [entry.name for entry in await box.files.list("/workspace")] == ["a.txt"]
        await box.copy_out("/workspace/a.txt", tmp_path / "b.txt")
        assert (tmp_path / "b.txt").read_text() == "some text"
        tar = io.BytesIO()
        await box.files.pack("/workspace", tar)
        assert tar.tell() > 0
        assert (await box.info()).name == box.name
        assert "started" in [event.type async for event in box.events()]
    async with AsyncHusk() as own:
        assert box.name not in [info.name for info in await own.list_sandboxes()]


@asynchronous
async def test_output_comes_as_it_is_written() -> None:
    async with AsyncHusk() as own, await own.create_sandbox() as box:
        line = await box.begin(["cat"], stdin=True)
        async with line:
            await line.write("one\n")
            events = line.__aiter__()
            first = await events.__anext__()
            assert isinstance(first, Output) and first.data == b"one\n"
            await line.close_stdin()
            assert isinstance(await events.__anext__(), CommandEnd)


@asynchronous
async def test_a_cancelled_task_ends_its_command_and_all_it_started() -> None:
    async with AsyncHusk() as own, await own.create_sandbox() as box:
        script = "sleep 601 & echo on; wait"
        task = asyncio.ensure_future(box.exec(["sh", "-c", script]))
        while not any(command.status == "running" for command in await box.commands()):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        listing = await box.exec(["sh", "-c", "cat /proc/[0-9]*/cmdline | tr '\\0' ' '"])
        assert "sleep 601" not in listing.stdout
