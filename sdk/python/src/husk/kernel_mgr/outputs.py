"""Collects the outputs of one execution."""

from __future__ import annotations

import asyncio
import uuid
from pathlib import Path
from typing import Any, Mapping

from husk.kernel_mgr.results import ExecutionResult
from husk.rich import EXTENSIONS, picture_bytes


class Outputs:
    """Text in the order it came, pictures as files, and everything else as it is.

    Where something shown would run into the text beside it, a line break is put between them.
    """

    def __init__(self, images_dir: Path) -> None:
        self._images_dir = images_dir
        self._chunks: list[str] = []
        self._images: list[Path] = []
        self._outputs: list[dict[str, Any]] = []
        self._shown_last = False

    async def take(self, kind: str, content: Mapping[str, Any]) -> str | None:
        """Takes a message's content; gives what it adds to the text, if anything."""
        if kind == "stream":
            text = str(content.get("text", ""))
            self._outputs.append({"type": kind, "name": content.get("name"), "text": text})
            return self._add(text, shown=False)
        if kind not in ("display_data", "execute_result"):
            return None
        data = content.get("data") or {}
        metadata = content.get("metadata") or {}
        self._outputs.append({"type": kind, "data": data, "metadata": metadata})
        await self._keep_picture(data)
        return self._add(_text(data.get("text/plain", "")), shown=True)

    def _add(self, text: str, shown: bool) -> str | None:
        if not text:
            return None
        if self._chunks and (shown or self._shown_last) and not self._chunks[-1].endswith("\n"):
            text = "\n" + text
        self._shown_last = shown
        self._chunks.append(text)
        return text

    async def _keep_picture(self, data: Mapping[str, Any]) -> None:
        """One file for one picture, in the best of the formats that it came in."""
        for mime, extension in EXTENSIONS.items():
            if mime in data:
                try:
                    content = picture_bytes(mime, _text(data[mime]))
                except ValueError:
                    continue
                path = self._images_dir / f"{uuid.uuid4().hex[:8]}.{extension}"
                await asyncio.get_running_loop().run_in_executor(None, _write, path, content)
                self._images.append(path)
                return

    def result(self) -> ExecutionResult:
        raw = "".join(self._chunks)
        text = raw.strip() if self._chunks else None
        return ExecutionResult(text, list(self._images), raw, list(self._outputs))


def _text(value: Any) -> str:
    """Some kernels send text as a list of lines."""
    return "".join(map(str, value)) if isinstance(value, list) else str(value)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
