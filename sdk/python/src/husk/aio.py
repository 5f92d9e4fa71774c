"""The asynchronous library: `AsyncHusk`, and ipybox's kernel manager."""

from __future__ import annotations

import asyncio
import inspect
import secrets
from contextlib import asynccontextmanager
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Awaitable,
    Callable,
    Mapping,
    Sequence,
    Union,
    cast,
)

from husk.async_sandbox import AsyncSandbox
from husk.client import Husk, Kernel
from husk.config import KernelBoxConfig
from husk.errors import CheckpointNotFound, KernelNotFound
from husk.events import Ended, Event
from husk.kernel_mgr import (
    ExecutionError,
    ExecutionResult,
    ExecutionTimeout,
    KernelClient,
    KernelDied,
    KernelGateway,
)
from husk.live import Score
from husk.live_model import BestOf, Checkpoint
from husk.model import ExecutionResult as HuskResult
from husk.model import KernelHealth, KernelRecord
from husk.retry import Attempts
from husk.sandbox_model import SandboxInfo
from husk.state import StateDiff
from husk.threads import Threads

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from husk.options import (
        ExecuteOptions,
        KernelOptions,
        NewKernelOptions,
        SandboxOptions,
        StreamOptions,
    )

__all__ = [
    "AsyncHusk",
    "AsyncSandbox",
    "ExecutionError",
    "ExecutionResult",
    "ExecutionTimeout",
    "KernelClient",
    "KernelDied",
    "KernelGateway",
]

AwaitedScore = Callable[[KernelRecord, HuskResult], Awaitable[float]]
OnError = Callable[[HuskResult, int], Union[str, None, Awaitable[Union[str, None]]]]


class AsyncHusk:
    """`Husk` for asynchronous programs: the same calls, each in a thread of its own.

    Cancelling a task that waits for an execution cancels the execution. Arguments are those of `Husk`.
    """

    def __init__(
        self,
        url: str | None = None,
        api_key: str | None = None,
        *,
        ca_file: str | None = None,
        environ: Mapping[str, str] | None = None,
        config: KernelBoxConfig | None = None,
    ) -> None:
        self._husk = Husk(url, api_key, ca_file=ca_file, environ=environ, config=config)
        self._threads = Threads()
        self._call = self._threads.call

    async def __aenter__(self) -> AsyncHusk:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Lets go of the connections. Kernels live on."""
        self._threads.close()
        self._husk.close()

    # Kernels

    async def get_or_create(self, name: str, **options: Unpack[KernelOptions]) -> KernelRecord:
        return await self._call(self._husk.get_or_create, name, **options)

    async def create(
        self, name: str | None = None, **options: Unpack[NewKernelOptions]
    ) -> KernelRecord:
        return await self._call(self._husk.create, name, **options)

    async def list_kernels(self) -> list[KernelRecord]:
        return await self._call(self._husk.list_kernels)

    async def status(self, kernel: Kernel) -> KernelHealth:
        return await self._call(self._husk.status, kernel)

    async def interrupt(self, kernel: Kernel) -> None:
        await self._call(self._husk.interrupt, kernel)

    async def restart(self, kernel: Kernel) -> KernelRecord:
        return await self._call(self._husk.restart, kernel)

    async def destroy(self, name_or_id: Kernel) -> bool:
        return await self._call(self._husk.destroy, name_or_id)

    async def wipe(self) -> list[str]:
        return await self._call(self._husk.wipe)

    # Sandboxes

    async def create_sandbox(
        self, name: str | None = None, **options: Unpack[SandboxOptions]
    ) -> AsyncSandbox:
        made = await self._call(self._husk.create_sandbox, name, **options)
        return AsyncSandbox(made, self._threads)

    async def get_sandbox(self, name: str) -> AsyncSandbox:
        return AsyncSandbox(await self._call(self._husk.get_sandbox, name), self._threads)

    async def list_sandboxes(self, labels: Mapping[str, str] | None = None) -> list[SandboxInfo]:
        return await self._call(self._husk.list_sandboxes, labels)

    async def remove_sandbox(self, name: str) -> bool:
        return await self._call(self._husk.remove_sandbox, name)

    # Live state

    async def fork(
        self, kernel: Kernel, name: str | None = None, *, proceed: bool = False
    ) -> KernelRecord:
        return await self._call(self._husk.fork, kernel, name, proceed=proceed)

    async def forks(
        self, kernel: Kernel, names: int | Sequence[str], *, proceed: bool = False
    ) -> list[KernelRecord]:
        return await self._call(self._husk.forks, kernel, names, proceed=proceed)

    async def promote(self, kernel: Kernel, fork: Kernel) -> KernelRecord:
        return await self._call(self._husk.promote, kernel, fork)

    async def checkpoint(
        self, kernel: Kernel, label: str | None = None, *, proceed: bool = False
    ) -> Checkpoint:
        return await self._call(self._husk.checkpoint, kernel, label, proceed=proceed)

    async def checkpoints(self, kernel: Kernel) -> list[Checkpoint]:
        return await self._call(self._husk.checkpoints, kernel)

    async def rollback(self, kernel: Kernel, to: Checkpoint | str | None = None) -> Checkpoint:
        return await self._call(self._husk.rollback, kernel, to)

    async def drop_checkpoint(self, kernel: Kernel, checkpoint: Checkpoint | str) -> None:
        await self._call(self._husk.drop_checkpoint, kernel, checkpoint)

    @asynccontextmanager
    async def transaction(self, kernel: Kernel) -> AsyncIterator[Checkpoint]:
        """A block that leaves the kernel as it was, should an exception leave the block.

        A task that is cancelled within it waits until the kernel is back.
        """
        before = await self.checkpoint(kernel)
        try:
            yield before
        except BaseException:
            await asyncio.shield(_though_gone(self.rollback(kernel, before)))
            raise
        finally:
            await asyncio.shield(_though_gone(self.drop_checkpoint(kernel, before)))

    async def diff(
        self,
        kernel: Kernel,
        checkpoint: Checkpoint | str | None = None,
        *,
        fork: Kernel | None = None,
    ) -> StateDiff:
        return await self._call(self._husk.diff, kernel, checkpoint, fork=fork)

    async def keep(self, kernel: Kernel) -> KernelRecord:
        return await self._call(self._husk.keep, kernel)

    async def discard(self, kernel: Kernel) -> KernelRecord:
        return await self._call(self._husk.discard, kernel)

    async def best_of(
        self,
        kernel: Kernel,
        codes: str | Sequence[str],
        *,
        score: str | Score | AwaitedScore | None = None,
        seeds: Sequence[int] = (),
        deadline: float | None = None,
        promote: bool = True,
        proceed: bool = False,
    ) -> BestOf:
        """As `Husk.best_of`; ``score`` may be a coroutine function too."""
        return await self._call(
            self._husk.best_of,
            kernel,
            codes,
            score=_in_loop(score, asyncio.get_running_loop()),
            seeds=seeds,
            deadline=deadline,
            promote=promote,
            proceed=proceed,
        )

    # Executions

    async def execute(
        self, kernel: Kernel, code: str, **options: Unpack[ExecuteOptions]
    ) -> HuskResult:
        """Runs code and waits for the result; options as in `Husk.execute`."""
        folder = options.pop("images_dir", None)
        result = await _last(self.stream(kernel, code, **cast("StreamOptions", options)))
        return result if folder is None else await self._call(result.with_images_in, folder)

    def stream(
        self, kernel: Kernel, code: str, **options: Unpack[StreamOptions]
    ) -> AsyncIterator[Event]:
        """Runs code and gives its events as they happen; closing the iterator cancels it."""
        execution_id = options.setdefault("execution_id", None) or secrets.token_hex(16)
        options["execution_id"] = execution_id
        return self._threads.stream(
            lambda: self._husk.stream(kernel, code, **options),
            lambda: self.cancel(execution_id),
        )

    async def execute_with_retry(
        self,
        kernel: Kernel,
        code: str,
        on_error_fn: OnError,
        *,
        max_attempts: int | None = None,
        language: str = "python",
        timeout: float | None = None,
        output_limit: int | None = None,
        rollback: bool | str = False,
    ) -> HuskResult:
        """As `Husk.execute_with_retry`; ``on_error_fn`` may be a coroutine function too."""
        limit = await self._call(self._husk.attempts, max_attempts)
        attempts = Attempts(code, limit)
        while attempts.code is not None:
            execution = self._husk.attempt(
                kernel, attempts.code, language, timeout, output_limit, rollback
            )
            cancel = execution.execution_id
            events = self._threads.stream(execution.events, lambda: self.cancel(cancel))
            if attempts.another(await _last(events)):
                answer = on_error_fn(attempts.latest, attempts.count)
                attempts.mend(await answer if inspect.isawaitable(answer) else answer)
        return attempts.result

    async def result(self, execution_id: str) -> HuskResult:
        return await self._call(self._husk.result, execution_id)

    async def cancel(self, execution_id: str) -> bool:
        return await self._call(self._husk.cancel, execution_id)


def _in_loop(
    score: str | Score | AwaitedScore | None, loop: asyncio.AbstractEventLoop
) -> str | Score | None:
    """A coroutine function as one that a thread can call."""
    if not inspect.iscoroutinefunction(score):
        return score  # type: ignore[return-value]
    return lambda fork, result: asyncio.run_coroutine_threadsafe(score(fork, result), loop).result()


async def _last(events: AsyncIterator[Event]) -> HuskResult:
    async for event in events:
        if isinstance(event, Ended):
            return event.result
    raise AssertionError("a stream ends with a result or an exception")


async def _though_gone(call: Awaitable[Any]) -> None:
    try:
        await call
    except (KernelNotFound, CheckpointNotFound):
        pass
