"""What is in an output beside its text: pictures, tables, charts."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

if TYPE_CHECKING:
    from husk.model import ErrorInfo, OutputItem

MARK = "...[truncated by husk]..."
"""Stands where something was left out."""

EXTENSIONS = {
    "image/png": "png",
    "image/jpeg": "jpg",
    "image/webp": "webp",
    "image/gif": "gif",
    "image/svg+xml": "svg",
}
"""The pictures that are recognised, those that show most places first."""


def picture_bytes(mime: str, data: str) -> bytes:
    """Kernels send SVG as text and everything else in base64, perhaps in lines.

    Raises:
        ValueError: It is not base64; code can display anything under any name.
    """
    if mime == "image/svg+xml":
        return data.encode("utf-8", "replace")
    return base64.b64decode("".join(data.split()), validate=True)


@dataclass(repr=False)
class Image:
    """A picture that an execution drew."""

    mime: str
    data: bytes
    path: str | None = None
    """Where it was saved, if the execution was asked to."""

    def __repr__(self) -> str:
        return f"<{self.mime}, {self.path or f'{len(self.data):,} bytes'}>"

    @property
    def extension(self) -> str:
        return EXTENSIONS.get(self.mime, self.mime.rpartition("/")[2].partition("+")[0])

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Writes it to a file and gives the path, with the fitting suffix if it had none."""
        target = Path(path)
        if not target.suffix:
            target = target.with_suffix(f".{self.extension}")
        target.write_bytes(self.data)
        return target

    def to_dict(self) -> dict[str, str]:
        if self.path is not None:
            return {"mime": self.mime, "path": self.path}
        svg = self.mime == "image/svg+xml"
        text = self.data.decode() if svg else base64.b64encode(self.data).decode("ascii")
        return {"mime": self.mime, "data": text}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Image:
        if "path" in data:
            return cls(str(data["mime"]), Path(data["path"]).read_bytes(), str(data["path"]))
        mime, text = str(data["mime"]), str(data["data"])
        try:
            return cls(mime, picture_bytes(mime, text))
        except ValueError:
            return cls(mime, text.encode("utf-8", "replace"))


def named(outputs: Iterable[OutputItem], images: Sequence[Image]) -> None:
    """Puts the paths of saved pictures where the pictures themselves were in the outputs."""
    drawn = [
        (item.data, mime)
        for item in outputs
        for mime, value in item.data.items()
        if mime.startswith("image/") and isinstance(value, str)
    ]
    for (data, mime), image in zip(drawn, images):
        if mime == image.mime and image.path is not None:
            data[mime] = image.path


def in_order(
    outputs: Iterable[OutputItem], error: ErrorInfo | None, truncated: bool = False
) -> str:
    """The text of all outputs; what is shown begins and ends on lines of its own."""
    text = ""
    told = None
    for item in outputs:
        if item.kind == "stream":
            text += item.text or ""
        elif item.kind == "error":
            told = item.data.get("ename")
            text = _on_own_line(text, _traceback(item.data))
        elif item.text:
            text = _on_own_line(text, item.text)
    if truncated and MARK not in text:
        text = _on_own_line(text, MARK)
    if error is not None and error.ename != told:  # of a timeout the code only saw the interrupt
        text = _on_own_line(text, f"{error.ename}: {error.evalue}" if told else _traceback(vars(error)))
    return text


def structured(outputs: Iterable[OutputItem], mime: str) -> list[Any]:
    """Every output of a MIME type that holds JSON, parsed."""
    found = (item.data[mime] for item in outputs if item.kind != "error" and mime in item.data)
    return [json.loads(value) if isinstance(value, str) else value for value in found]


def _on_own_line(before: str, text: str) -> str:
    start = "\n" if before and not before.endswith("\n") else ""
    return f"{before}{start}{text}\n"


def _traceback(error: Mapping[str, Any]) -> str:
    lines = [str(line) for line in error.get("traceback") or ()]
    return "\n".join(lines) or f"{error.get('ename', 'Error')}: {error.get('evalue', '')}"
