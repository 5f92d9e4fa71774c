"""How an HTTP connection becomes a WebSocket."""

from __future__ import annotations

import base64
import hashlib
import os
from typing import Mapping

_GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Refused(ConnectionError):
    """The server answered, but will not speak WebSocket."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


def new_key() -> str:
    return base64.b64encode(os.urandom(16)).decode("ascii")


def accept_for(key: str) -> str:
    """What a server that understood the request answers to this key."""
    return base64.b64encode(hashlib.sha1((key + _GUID).encode()).digest()).decode("ascii")


def request(authority: str, target: str, key: str, headers: Mapping[str, str]) -> bytes:
    lines = [
        f"GET {target} HTTP/1.1",
        f"Host: {authority}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    if any("\r" in line or "\n" in line for line in lines):
        raise ValueError("a line break in the head of a request")
    return "\r\n".join([*lines, "", ""]).encode("utf-8")


def check(answer: bytes, key: str) -> None:
    """Refuses an answer that is not the one to this very request."""
    lines = answer.decode("latin-1").split("\r\n")
    words = lines[0].split(" ", 2)
    if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
        raise Refused(f"the server does not speak HTTP: {lines[0][:100]!r}", 0)
    status = int(words[1])
    if status != 101:
        raise Refused(f"the server refused the WebSocket: {' '.join(words[1:])}", status)
    headers = {
        name.strip().lower(): value.strip()
        for name, colon, value in (line.partition(":") for line in lines[1:])
        if colon
    }
    if headers.get("upgrade", "").lower() != "websocket":
        raise Refused("the server switched to something that is not WebSocket", status)
    if headers.get("sec-websocket-accept") != accept_for(key):
        raise Refused("the server's answer belongs to another request", status)
    if "sec-websocket-extensions" in headers:
        raise Refused("the server uses an extension that was not asked for", status)
