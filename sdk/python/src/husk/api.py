"""The functions of the package: those of a `Husk` that is made when it is first needed."""

from __future__ import annotations

import os
import threading
from typing import Any, Iterator

from husk.client import Husk, Kernel, OnError
from husk.events import Event
from husk.locations import DECISIVE
from husk.model import ExecutionResult, KernelHealth, KernelRecord

_DECISIVE = (*DECISIVE, "HUSK_URL", "HUSK_API_KEY", "HUSK_CA_FILE", "HUSK_DIST")


class _Default:
    """One `Husk` for the whole process, and another when the environment says it is elsewhere."""

    def __init__(self) -> None:
        self._renew_lock()
        self._husk: Husk | None = None
        self._found_by: tuple[str | None, ...] = ()
        os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def get(self) -> Husk:
        found_by = tuple(os.environ.get(name) for name in _DECISIVE)
        with self._lock:
            if self._husk is None or found_by != self._found_by:
                self._husk = Husk()
                self._found_by = found_by
            return self._husk


_default = _Default()


def default_husk() -> Husk:
    """The `Husk` that the functions of this package use."""
    return _default.get()


def get_or_create(name: str, **options: Any) -> KernelRecord:
    """The living kernel of this name, made if there is none; options as in `Husk.get_or_create`."""
    return _default.get().get_or_create(name, **options)


def execute(
    kernel: Kernel, code: str, *, language: str = "python", timeout: float | None = None
) -> ExecutionResult:
    """Runs code in a kernel and waits for the result; see `Husk.execute`."""
    return _default.get().execute(kernel, code, language=language, timeout=timeout)


def execute_with_retry(
    kernel: Kernel,
    code: str,
    on_error_fn: OnError,
    *,
    max_attempts: int | None = None,
    language: str = "python",
    timeout: float | None = None,
) -> ExecutionResult:
    """Runs code until it succeeds, letting ``on_error_fn`` mend it; see `Husk.execute_with_retry`."""
    return _default.get().execute_with_retry(
        kernel, code, on_error_fn, max_attempts=max_attempts, language=language, timeout=timeout
    )


def destroy(name_or_id: Kernel) -> bool:
    """Ends a kernel. False if there was none."""
    return _default.get().destroy(name_or_id)


def stream(
    kernel: Kernel, code: str, *, language: str = "python", timeout: float | None = None
) -> Iterator[Event]:
    """Runs code and gives its events as they happen; see `Husk.stream`."""
    return _default.get().stream(kernel, code, language=language, timeout=timeout)


def create(name: str | None = None, **options: Any) -> KernelRecord:
    """A new kernel; options as in `Husk.create`."""
    return _default.get().create(name, **options)


def list_kernels() -> list[KernelRecord]:
    """All kernels, oldest first."""
    return _default.get().list_kernels()


def status(kernel: Kernel) -> KernelHealth:
    """Whether a kernel lives, and whether it reacts."""
    return _default.get().status(kernel)


def interrupt(kernel: Kernel) -> None:
    """Interrupts whatever a kernel runs; variables stay."""
    _default.get().interrupt(kernel)


def restart(kernel: Kernel) -> KernelRecord:
    """A new process under the same name and id; variables are gone."""
    return _default.get().restart(kernel)


def wipe() -> list[str]:
    """Ends every kernel there is, and gives their ids."""
    return _default.get().wipe()


def result(execution_id: str) -> ExecutionResult:
    """The result of an execution; waits if it still runs."""
    return _default.get().result(execution_id)


def cancel(execution_id: str) -> bool:
    """Asks for the end of an execution. False when it has ended already."""
    return _default.get().cancel(execution_id)
