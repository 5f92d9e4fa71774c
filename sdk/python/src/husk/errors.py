"""What can go wrong with a call itself. What happens to the code is a result, never an exception."""

from __future__ import annotations

import json
from typing import Any, Mapping, Sequence

from husk.hazard import Hazard


class HuskError(Exception):
    """A call that could not be served.

    Attributes:
        code: A stable name, such as ``kernel_not_found``.
        message: What failed, on which value, and why.
        remedies: What to do next.
        details: What is known of it as data; mostly nothing.
    """

    default_code = "internal"

    def __init__(
        self,
        message: str,
        remedies: Sequence[str] = (),
        code: str | None = None,
        details: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.remedies = list(remedies)
        self.code = code or self.default_code
        self.details = dict(details or {})

    def __str__(self) -> str:
        return "\n".join([self.message, *(f"hint: {remedy}" for remedy in self.remedies)])

    def __reduce__(self) -> tuple[type[HuskError], tuple[str, list[str], str, dict[str, Any]]]:
        return type(self), (self.message, self.remedies, self.code, self.details)


class KernelBoxError(HuskError):
    """Every error of this library, under the name that KernelBox gave it."""


class KernelNotFound(KernelBoxError):
    """There is no such kernel; perhaps it was destroyed."""

    default_code = "kernel_not_found"


class KernelAlreadyExists(KernelBoxError):
    """A living kernel has this name."""

    default_code = "kernel_already_exists"


class ExecutionNotFound(KernelBoxError):
    """There is no execution with this id."""

    default_code = "execution_not_found"


class SandboxNotFound(KernelBoxError):
    """There is no such sandbox; perhaps it was removed, or has expired."""

    default_code = "sandbox_not_found"


class SandboxAlreadyExists(KernelBoxError):
    """A sandbox has this name."""

    default_code = "sandbox_already_exists"


class SandboxNotRunning(KernelBoxError):
    """The sandbox is stopped; `Sandbox.start` starts it."""

    default_code = "sandbox_not_running"


class NotFoundInside(KernelBoxError):
    """There is no such program, file or command in the sandbox."""

    default_code = "not_found_inside"


class CheckpointNotFound(KernelBoxError):
    """The kernel has no such checkpoint; perhaps it was dropped."""

    default_code = "checkpoint_not_found"


class CopyRefused(KernelBoxError):
    """A copy of the kernel would lack something of it; the message names what, ``hazards`` has it as data."""

    default_code = "copy_refused"

    @property
    def hazards(self) -> list[Hazard]:
        """What the copy would lack: each with its kind, its name and what would become of it."""
        return [Hazard.from_dict(hazard) for hazard in self.details.get("hazards") or ()]


class PreviewOpen(KernelBoxError):
    """What a preview did is neither kept nor discarded; or the preview still runs."""

    default_code = "preview_open"


class InvalidRequest(KernelBoxError, ValueError):
    """A value that cannot be accepted."""

    default_code = "invalid_request"


class DaemonUnavailable(KernelBoxError):
    """The daemon, or the server, could not be reached or started."""

    default_code = "daemon_unavailable"


class Overloaded(KernelBoxError):
    """The server has too much to do; nothing of what was asked was done."""

    default_code = "overloaded"
    retry_after: str | None = None


_INVALID = ("usage", "invalid_request", "invalid_name", "invalid_setting", "language_unsupported")
_TYPES: dict[str, type[KernelBoxError]] = {
    **{
        kind.default_code: kind
        for kind in (
            KernelNotFound,
            KernelAlreadyExists,
            ExecutionNotFound,
            SandboxNotFound,
            SandboxAlreadyExists,
            SandboxNotRunning,
            NotFoundInside,
            CheckpointNotFound,
            CopyRefused,
            PreviewOpen,
            DaemonUnavailable,
            Overloaded,
        )
    },
    **{code: InvalidRequest for code in _INVALID},
}


def from_answer(status: int, body: bytes) -> KernelBoxError:
    """The error that a failed answer describes, as if it had occurred here."""
    try:
        answer = json.loads(body)
        error = answer.get("error") if isinstance(answer, dict) else None
    except ValueError:
        answer = error = None
    if isinstance(error, dict):
        code = str(error.get("code", "internal"))
        kind = _TYPES.get(code, KernelBoxError)
        remedies = [str(remedy) for remedy in error.get("remedies") or ()]
        details = error.get("details")
        told = details if isinstance(details, dict) else {}
        return kind(str(error.get("message", code)), remedies, code, told)
    if isinstance(answer, dict) and "detail" in answer:
        return _of_detail(status, answer["detail"])
    text = body.decode("utf-8", "replace").strip()[:1000]
    return KernelBoxError(f"the server answered {status}: {text}")


def _of_detail(status: int, detail: Any) -> KernelBoxError:
    """Of the answers that have no code, those about the request are told apart by their status."""
    if isinstance(detail, list):
        detail = "; ".join(_complaint(item) for item in detail)
    kind = {404: KernelNotFound, 409: KernelAlreadyExists, 422: InvalidRequest}.get(status)
    return (kind or KernelBoxError)(str(detail))


def _complaint(item: Any) -> str:
    if not isinstance(item, dict):
        return str(item)
    where = ".".join(str(part) for part in item.get("loc") or ())
    return f"{where}: {item.get('msg', item)}"
