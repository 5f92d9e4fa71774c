"""`SandboxFiles` for asynchronous programs."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from typing import IO, AsyncIterator

from husk.sandbox_files import SandboxFiles
from husk.sandbox_model import FileInfo
from husk.threads import Threads


class AsyncFile:
    """The contents of a file, to be read piece by piece."""

    def __init__(self, contents: IO[bytes], threads: Threads) -> None:
        self._contents = contents
        self._threads = threads

    async def read(self, size: int = -1) -> bytes:
        return await self._threads.call(self._contents.read, size)


class AsyncSandboxFiles:
    """The same calls as `SandboxFiles` has, each to be awaited."""

    def __init__(self, files: SandboxFiles, threads: Threads) -> None:
        self._files = files
        self._call = threads.call
        self._threads = threads

    async def read(self, path: str) -> bytes:
        return await self._call(self._files.read, path)

    async def read_text(self, path: str) -> str:
        return await self._call(self._files.read_text, path)

    @asynccontextmanager
    async def open(self, path: str) -> AsyncIterator[AsyncFile]:
        opened = self._files.open(path)
        contents = await self._call(opened.__enter__)
        try:
            yield AsyncFile(contents, self._threads)
        finally:
            await self._call(opened.__exit__, None, None, None)

    async def write(self, path: str, contents: bytes | str | IO[bytes], mode: int = 0o644) -> None:
        await self._call(self._files.write, path, contents, mode)

    async def list(self, path: str) -> list[FileInfo]:
        return await self._call(self._files.list, path)

    async def stat(self, path: str) -> FileInfo:
        return await self._call(self._files.stat, path)

    async def mkdir(self, path: str, parents: bool = True) -> None:
        await self._call(self._files.mkdir, path, parents)

    async def remove(self, path: str, recursive: bool = False) -> None:
        await self._call(self._files.remove, path, recursive)

    async def move(self, source: str, target: str) -> None:
        await self._call(self._files.move, source, target)

    async def pack(self, path: str, into: IO[bytes]) -> None:
        await self._call(self._files.pack, path, into)

    async def unpack(self, path: str, tar: bytes | IO[bytes]) -> None:
        await self._call(self._files.unpack, path, tar)

    async def copy_in(self, source: str | os.PathLike[str], target: str) -> None:
        await self._call(self._files.copy_in, source, target)

    async def copy_out(self, source: str, target: str | os.PathLike[str]) -> None:
        await self._call(self._files.copy_out, source, target)
