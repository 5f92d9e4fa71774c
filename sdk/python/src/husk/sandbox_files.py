"""The files of a sandbox, of any size, seen with the sandbox's own eyes and rights."""

from __future__ import annotations

import http.client
import io
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Iterator

from husk.connections import Connections, is_loss, read, unavailable
from husk.errors import InvalidRequest
from husk.paths import query
from husk.sandbox_model import FileInfo

_PIECE = 1 << 16


class SandboxFiles:
    """Paths are absolute; symbolic links lead where they lead inside."""

    def __init__(self, connections: Connections, path: str) -> None:
        self._connections = connections
        self._path = f"{path}/fs"

    def read(self, path: str) -> bytes:
        with self.open(path) as contents:
            return contents.read()

    def read_text(self, path: str) -> str:
        return self.read(path).decode("utf-8")

    @contextmanager
    def open(self, path: str) -> Iterator[IO[bytes]]:
        """The contents, to be read piece by piece."""
        with self._download(f"/content{query(path=path)}") as contents:
            yield contents

    @contextmanager
    def _download(self, what: str) -> Iterator[IO[bytes]]:
        with self._connections.fresh("GET", self._path + what, None, "*/*") as response:
            if response.status >= 400:
                read(response)
            yield io.BufferedReader(_Download(response))

    def write(self, path: str, contents: bytes | str | IO[bytes], mode: int = 0o644) -> None:
        """Writes a file; it is there once it is whole, and until then what was there before stays."""
        data = contents.encode() if isinstance(contents, str) else contents
        what = f"/content{query(path=path, mode=format(mode, 'o'))}"
        self._connections.upload("PUT", self._path + what, data)

    def list(self, path: str) -> list[FileInfo]:
        answer = self._connections.ask("GET", f"{self._path}/entries{query(path=path)}")
        return [FileInfo.from_dict(entry) for entry in answer["entries"]]

    def stat(self, path: str) -> FileInfo:
        return FileInfo.from_dict(
            self._connections.ask("GET", f"{self._path}/entry{query(path=path)}")
        )

    def mkdir(self, path: str, parents: bool = True) -> None:
        body = {"path": path, "parents": parents}
        self._connections.ask_once("POST", f"{self._path}/directories", body)

    def remove(self, path: str, recursive: bool = False) -> None:
        what = f"/entry{query(path=path, recursive=str(recursive).lower())}"
        self._connections.ask_once("DELETE", self._path + what)

    def move(self, source: str, target: str) -> None:
        self._connections.ask_once("POST", f"{self._path}/move", {"from": source, "to": target})

    def pack(self, path: str, into: IO[bytes]) -> None:
        """What is in a folder, as a tar archive."""
        with self._download(f"/tar{query(path=path)}") as tar:
            shutil.copyfileobj(tar, into, _PIECE)

    def unpack(self, path: str, tar: bytes | IO[bytes]) -> None:
        """Puts what is in a tar archive into a folder."""
        self._connections.upload("PUT", f"{self._path}/tar{query(path=path)}", tar)

    # Between this machine and the sandbox. What is neither file nor folder is refused, not left out.

    def copy_in(self, source: str | os.PathLike[str], target: str) -> None:
        """Copies a file or folder of this machine to a path inside."""
        here = Path(source)
        if here.is_dir():
            self.mkdir(target)
            for entry in sorted(here.iterdir()):
                self.copy_in(entry, f"{target}/{entry.name}")
        elif here.is_file():
            with here.open("rb") as contents:
                self.write(target, contents, here.stat().st_mode & 0o777)
        else:
            raise _odd(str(here))

    def copy_out(self, source: str, target: str | os.PathLike[str]) -> None:
        """Copies a file or folder from inside to a path of this machine."""
        here, info = Path(target), self.stat(source)
        if info.type == "directory":
            here.mkdir(parents=True, exist_ok=True)
            for entry in self.list(source):
                self.copy_out(f"{source}/{entry.name}", here / _sound(entry.name))
        elif info.type == "file" and not here.is_symlink():
            with self.open(source) as contents, here.open("wb") as out:
                shutil.copyfileobj(contents, out, _PIECE)
            here.chmod(info.mode & 0o777)
        else:
            raise _odd(source)


class _Download(io.RawIOBase):
    """An answer's body; one that breaks off is an error, never an end."""

    def __init__(self, response: http.client.HTTPResponse) -> None:
        self._response = response

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        try:
            return self._response.readinto(buffer)
        except Exception as error:
            if is_loss(error):
                raise unavailable(error) from error
            raise


def _sound(name: str) -> str:
    """A sandbox may call its files what it likes; here they must stay below the target."""
    if not name or "/" in name or name in (".", ".."):
        raise _odd(name)
    return name


def _odd(what: str) -> InvalidRequest:
    return InvalidRequest(
        f"`{what}` is neither a file nor a folder, and is not copied",
        ["copy what it leads to, or use `pack` for everything as it is"],
    )
