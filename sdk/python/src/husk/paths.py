"""The paths of kernels, executions and sandboxes."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from husk.errors import ExecutionNotFound, InvalidRequest, KernelNotFound, SandboxNotFound


def session_path(name: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise InvalidRequest(
            f"`{name}` cannot be a kernel's name: it is empty or no text",
            ["use up to 200 printable characters"],
            "invalid_name",
        )
    return f"/sessions/{segment(name)}"


def kernel_path(name_or_id: str) -> str:
    """A path without a name in it would mean all kernels."""
    if not name_or_id:
        raise KernelNotFound("Unknown kernel: the name is empty", ["give it a name"])
    return f"/kernels/{segment(name_or_id)}"


def execution_path(execution_id: str) -> str:
    if not execution_id:
        raise ExecutionNotFound("Unknown execution: the id is empty")
    return f"/executions/{segment(execution_id)}"


def sandbox_path(name: str) -> str:
    """A path without a name in it would mean all sandboxes."""
    if not isinstance(name, str) or not name:
        raise SandboxNotFound("Sandbox not found: the name is empty or no text", ["give it a name"])
    return f"/sandboxes/{segment(name)}"


def query(**parameters: str) -> str:
    try:
        return "?" + urlencode(parameters, quote_via=quote, safe="")
    except UnicodeEncodeError:
        raise InvalidRequest(f"{parameters!r} holds half of a surrogate pair") from None


def segment(name: str) -> str:
    """``.`` and ``..`` would lead elsewhere if they stood in a path as they are."""
    if name in (".", ".."):
        return "%2E" * len(name)
    try:
        return quote(name, safe="")
    except UnicodeEncodeError:
        raise InvalidRequest(
            f"{name!r} cannot be a name: it holds half of a surrogate pair", code="invalid_name"
        ) from None
