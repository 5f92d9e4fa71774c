"""The functions of the package: those of a `Husk` that is made when it is first needed."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, ContextManager, Iterator, Mapping, Sequence

from husk.client import Husk, Kernel, OnError
from husk.events import Event
from husk.live_model import BestOf, Checkpoint
from husk.locations import DECISIVE
from husk.model import ExecutionResult, KernelHealth, KernelRecord
from husk.sandbox import Sandbox
from husk.sandbox_model import SandboxInfo
from husk.state import StateDiff

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from husk.options import (
        BestOfOptions,
        KernelOptions,
        NewKernelOptions,
        SandboxOptions,
        StreamOptions,
    )

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


def get_or_create(name: str, **options: Unpack[KernelOptions]) -> KernelRecord:
    """The living kernel of this name, made if there is none; options as in `Husk.get_or_create`."""
    return _default.get().get_or_create(name, **options)


def execute(
    kernel: Kernel,
    code: str,
    *,
    language: str = "python",
    timeout: float | None = None,
    output_limit: int | None = None,
    execution_id: str | None = None,
    rollback: str | None = None,
    preview: bool = False,
    images_dir: str | os.PathLike[str] | None = None,
) -> ExecutionResult:
    """Runs code in a kernel and waits for the result; see `Husk.execute`."""
    return _default.get().execute(
        kernel,
        code,
        language=language,
        timeout=timeout,
        output_limit=output_limit,
        execution_id=execution_id,
        rollback=rollback,
        preview=preview,
        images_dir=images_dir,
    )


def execute_with_retry(
    kernel: Kernel,
    code: str,
    on_error_fn: OnError,
    *,
    max_attempts: int | None = None,
    language: str = "python",
    timeout: float | None = None,
    output_limit: int | None = None,
    rollback: bool | str = False,
) -> ExecutionResult:
    """Runs code until it succeeds, letting ``on_error_fn`` mend it; see `Husk.execute_with_retry`."""
    return _default.get().execute_with_retry(
        kernel,
        code,
        on_error_fn,
        max_attempts=max_attempts,
        language=language,
        timeout=timeout,
        output_limit=output_limit,
        rollback=rollback,
    )


def destroy(name_or_id: Kernel) -> bool:
    """Ends a kernel. False if there was none."""
    return _default.get().destroy(name_or_id)


def stream(kernel: Kernel, code: str, **options: Unpack[StreamOptions]) -> Iterator[Event]:
    """Runs code and gives its events as they happen; options as in `Husk.stream`."""
    return _default.get().stream(kernel, code, **options)


def create(name: str | None = None, **options: Unpack[NewKernelOptions]) -> KernelRecord:
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


def create_sandbox(name: str | None = None, **options: Unpack[SandboxOptions]) -> Sandbox:
    """A new sandbox; options as in `Husk.create_sandbox`."""
    return _default.get().create_sandbox(name, **options)


def get_sandbox(name: str) -> Sandbox:
    """The sandbox of this name."""
    return _default.get().get_sandbox(name)


def list_sandboxes(labels: Mapping[str, str] | None = None) -> list[SandboxInfo]:
    """All sandboxes that have these labels, oldest first."""
    return _default.get().list_sandboxes(labels)


def remove_sandbox(name: str) -> bool:
    """Ends a sandbox and removes its files. False if there was none."""
    return _default.get().remove_sandbox(name)


def fork(kernel: Kernel, name: str | None = None, *, proceed: bool = False) -> KernelRecord:
    """A running copy of a kernel; see `Husk.fork`."""
    return _default.get().fork(kernel, name, proceed=proceed)


def forks(kernel: Kernel, names: int | Sequence[str], *, proceed: bool = False) -> list[KernelRecord]:
    """Copies of one moment; see `Husk.forks`."""
    return _default.get().forks(kernel, names, proceed=proceed)


def promote(kernel: Kernel, fork: Kernel) -> KernelRecord:
    """Gives a kernel the variables and files of one of its forks."""
    return _default.get().promote(kernel, fork)


def checkpoint(kernel: Kernel, label: str | None = None, *, proceed: bool = False) -> Checkpoint:
    """Keeps a kernel's variables and files as they are now."""
    return _default.get().checkpoint(kernel, label, proceed=proceed)


def checkpoints(kernel: Kernel) -> list[Checkpoint]:
    """A kernel's checkpoints, the oldest first."""
    return _default.get().checkpoints(kernel)


def rollback(kernel: Kernel, to: Checkpoint | str | None = None) -> Checkpoint:
    """Takes a kernel back to a checkpoint, the latest unless one is named."""
    return _default.get().rollback(kernel, to)


def drop_checkpoint(kernel: Kernel, checkpoint: Checkpoint | str) -> None:
    """Lets go of a checkpoint and of the memory it holds."""
    _default.get().drop_checkpoint(kernel, checkpoint)


def diff(
    kernel: Kernel, checkpoint: Checkpoint | str | None = None, *, fork: Kernel | None = None
) -> StateDiff:
    """How a kernel differs from a checkpoint of its own, or from another kernel; see `Husk.diff`."""
    return _default.get().diff(kernel, checkpoint, fork=fork)


def keep(kernel: Kernel) -> KernelRecord:
    """Lets what a preview did stay."""
    return _default.get().keep(kernel)


def discard(kernel: Kernel) -> KernelRecord:
    """Takes a kernel back to what it was before its preview."""
    return _default.get().discard(kernel)


def transaction(kernel: Kernel) -> ContextManager[Checkpoint]:
    """A block that leaves the kernel as it was, should an exception leave it."""
    return _default.get().transaction(kernel)


def best_of(
    kernel: Kernel, codes: str | Sequence[str], **options: Unpack[BestOfOptions]
) -> BestOf:
    """Tries several pieces of code at once and keeps the best; options as in `Husk.best_of`."""
    return _default.get().best_of(kernel, codes, **options)
