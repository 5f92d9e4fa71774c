"""Jupyter's messages on a WebSocket, in the default sub-protocol."""

from __future__ import annotations

import json
import struct
import uuid
from dataclasses import dataclass
from datetime import datetime, timezone
from typing import Any, Mapping


@dataclass(frozen=True)
class Message:
    """What a kernel said.

    Attributes:
        msg_id: Its own id.
        kind: The message's type, such as ``stream``.
        channel: ``iopub``, ``shell``, ``control`` or ``stdin``.
        parent: The id of the request that it belongs to, if it belongs to one.
        content: What it says.
        size: How many bytes it took.
    """

    msg_id: str
    kind: str
    channel: str
    parent: str | None
    content: Mapping[str, Any]
    size: int


def new_id() -> str:
    return uuid.uuid4().hex


def request(kind: str, content: Mapping[str, Any], session: str, msg_id: str) -> str:
    """A request on the shell channel."""
    header = {
        "msg_id": msg_id,
        "msg_type": kind,
        "session": session,
        "username": "",
        "version": "5.3",
        "date": datetime.now(timezone.utc).isoformat(),
    }
    return json.dumps(
        {
            "channel": "shell",
            "header": header,
            "parent_header": {},
            "metadata": {},
            "content": content,
            "buffers": [],
        }
    )


def execution(code: str) -> dict[str, Any]:
    return {
        "code": code,
        "silent": False,
        "store_history": False,
        "user_expressions": {},
        "allow_stdin": False,
        "stop_on_error": False,
    }


def decode(data: str | bytes) -> Message | None:
    """Reads a message; None for what is none, which is passed over."""
    try:
        parsed = json.loads(data if isinstance(data, str) else _json_part(data))
        header = parsed.get("header") or {}
        parent = parsed.get("parent_header") or {}
        return Message(
            str(header.get("msg_id") or ""),
            str(header.get("msg_type") or parsed.get("msg_type") or ""),
            str(parsed.get("channel") or ""),
            parent.get("msg_id"),
            parsed.get("content") or {},
            len(data),
        )
    except (ValueError, AttributeError, struct.error):
        return None


def _json_part(data: bytes) -> bytes:
    """A message with buffers is binary: a count, that many offsets, the JSON, then the buffers."""
    (count,) = struct.unpack_from("!I", data)
    offsets = struct.unpack_from(f"!{min(count, 2)}I", data, 4)
    return data[offsets[0] : offsets[1] if count > 1 else len(data)]
