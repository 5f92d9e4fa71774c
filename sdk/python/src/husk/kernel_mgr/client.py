"""A client of one kernel, in the shape of ipybox's."""

from __future__ import annotations

import asyncio
import math
import ssl
from pathlib import Path
from typing import AsyncIterator, Mapping, Union

from husk.kernel_mgr import messages
from husk.kernel_mgr.cell import Cell
from husk.kernel_mgr.channels import Channels
from husk.kernel_mgr.outputs import Outputs
from husk.kernel_mgr.results import ExecutionError, ExecutionResult, ExecutionTimeout, KernelDied
from husk.kernel_mgr.rest import Answered, Rest
from husk.websocket.connection import WebSocket
from husk.websocket.handshake import Refused

__all__ = ["ExecutionError", "ExecutionResult", "ExecutionTimeout", "KernelClient", "KernelDied"]

_GRACE = 5.0
_READY = 60.0

# Husk ends the cells of a kernel that is gone itself, with errors of these names.
_DEATHS = ("KernelDied", "KernelRestarted", "KernelDestroyed")


class KernelClient:
    """Client for executing code in an IPython kernel.

    Connects to a `KernelGateway`, to any ``husk serve`` or to a stock Jupyter Kernel Gateway, to create and
    communicate with a kernel. Code execution is stateful: definitions and variables from previous executions are
    available to subsequent ones. Executions asked for at once run one after the other.

    Example:
        ```python
        async with KernelClient(host="localhost", port=8888) as client:
            result = await client.execute("print('hello')")
            print(result.text)

            async for item in client.stream("print('hello')"):
                if isinstance(item, str):
                    print(f"Chunk: {item}")
                else:
                    print(f"Result: {item}")
        ```

    Args:
        host: Hostname or IP address of the kernel gateway.
        port: Port number of the kernel gateway.
        images_dir: Directory for saving images generated during code execution. Defaults to ``images`` in
            the current directory.
        ping_interval: Interval in seconds for WebSocket pings that keep the connection alive.
        api_key: What the gateway wants to see, if anything; ``token`` is another name for it.
        tls: Whether the gateway speaks TLS; or the context to speak it with.
        ca_file: Certificates to trust, in PEM, instead of the system's.
        kernel_name: Which kernel to create.
        env: Environment variables for the kernel, where the gateway allows that.
    """

    def __init__(
        self,
        host: str = "localhost",
        port: int = 8888,
        images_dir: Path | None = None,
        ping_interval: float = 10,
        *,
        api_key: str | None = None,
        token: str | None = None,
        tls: bool | ssl.SSLContext = False,
        ca_file: str | None = None,
        kernel_name: str = "python",
        env: Mapping[str, str] | None = None,
    ) -> None:
        self.host = host
        self.port = port
        self.images_dir = Path(images_dir) if images_dir is not None else Path("images")
        self.ping_interval = ping_interval
        self._kernel_name = kernel_name
        self._env = env
        key = api_key or token
        self._headers = {"Authorization": f"token {key}"} if key else {}
        self._tls = _context(tls or ca_file is not None, ca_file)
        self._rest = Rest(host, port, self._tls, self._headers)
        self._kernel_id: str | None = None
        self._channels: Channels | None = None
        self._turn: asyncio.Lock | None = None
        self._seen_through: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> KernelClient:
        await self.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.disconnect()

    @property
    def kernel_id(self) -> str:
        """The ID of the running IPython kernel.

        Raises:
            RuntimeError: If not connected to a kernel.
        """
        if self._kernel_id is None:
            raise RuntimeError("Not connected to kernel")
        return self._kernel_id

    async def connect(self, retries: int = 10, retry_interval: float = 1.0) -> None:
        """Creates an IPython kernel and connects to it.

        Args:
            retries: Number of connection retries.
            retry_interval: Delay between connection retries in seconds.

        Raises:
            RuntimeError: If connection cannot be established after all retries; its text says why.
        """
        if self._kernel_id is not None:
            raise RuntimeError("Already connected to kernel")
        for attempt in range(1, retries + 1):
            try:
                return await self._connect()
            except (OSError, asyncio.TimeoutError, Answered, KernelDied) as error:
                if attempt == retries or _for_good(error):
                    raise RuntimeError(f"Failed to create kernel: {_said(error)}") from error
            await asyncio.sleep(retry_interval)
        raise RuntimeError("Failed to create kernel: not a single try was allowed")

    async def disconnect(self) -> None:
        """Disconnects from and deletes the running IPython kernel."""
        channels, self._channels = self._channels, None
        kernel_id, self._kernel_id = self._kernel_id, None
        if channels is not None:
            await channels.close()
        await asyncio.gather(*self._seen_through, return_exceptions=True)
        if kernel_id is not None:
            await self._rest.delete(kernel_id)

    async def reset(self) -> None:
        """Resets the IPython kernel to a clean state.

        Deletes the running kernel and creates a new one.
        """
        await self.disconnect()
        await self.connect()

    async def interrupt(self) -> None:
        """Interrupts whatever the kernel runs; variables stay."""
        await self._rest.interrupt(self.kernel_id)

    async def execute(self, code: str, timeout: float | None = 120) -> ExecutionResult:
        """Executes code in this client's IPython kernel and returns the result.

        Waits for execution to complete and returns the final result. Use `stream` for incremental output.
        Cancelling the task that waits interrupts the code.

        Args:
            code: Python code to execute.
            timeout: Maximum time in seconds that the code may run; None for ever.

        Returns:
            The execution result containing output text and generated images.

        Raises:
            ExecutionError: If code execution raises an error. What came before it is on the error.
            TimeoutError: If code execution duration exceeds the timeout; likewise.
        """
        async for item in self.stream(code, timeout):
            if isinstance(item, ExecutionResult):
                return item
        raise AssertionError("a stream ends with a result or an exception")

    async def stream(
        self, code: str, timeout: float | None = 120
    ) -> AsyncIterator[Union[str, ExecutionResult]]:
        """Executes code in this client's IPython kernel.

        Yields output chunks as strings during execution, and yields the final `ExecutionResult` as the last item.
        Closing the iterator early interrupts the code.

        Args:
            code: Python code to execute.
            timeout: Maximum time in seconds that the code may run; None for ever.

        Yields:
            Output text chunks generated during execution, then the result with complete text and images.

        Raises:
            ExecutionError: If code execution raises an error. What came before it is on the error.
            TimeoutError: If code execution duration exceeds the timeout; likewise.
        """
        cell = await self._begin(code, timeout)
        outputs = Outputs(self.images_dir)
        try:
            while True:
                message = await cell.next()
                if message is None:
                    break
                text = await outputs.take(message.kind, message.content)
                if text is not None:
                    yield text
        finally:
            cell.leave()
        yield _outcome(cell, outputs.result())

    async def _begin(self, code: str, timeout: float | None) -> _TimedCell:
        """Waits for the turn and sends the code. The turn ends when the kernel is through with it."""
        if self._channels is None or self._turn is None:
            raise RuntimeError("Not connected to kernel")
        limit = _checked(timeout)
        channels, turn = self._channels, self._turn
        await turn.acquire()
        try:
            cell = await channels.submit("execute_request", messages.execution(code))
        except BaseException:
            turn.release()
            raise
        timed = _TimedCell(cell, limit)
        task = asyncio.create_task(self._see_through(timed, turn))
        self._seen_through.add(task)
        task.add_done_callback(self._seen_through.discard)
        return timed

    async def _see_through(self, cell: _TimedCell, turn: asyncio.Lock) -> None:
        """Stops code that runs too long, or that nobody waits for, before the next one's turn."""
        try:
            ends = {cell.over, cell.left}
            await asyncio.wait(ends, timeout=cell.limit, return_when=asyncio.FIRST_COMPLETED)
            if cell.over.done():
                return
            cell.expired = not cell.left.done()
            # Code that was just leaving Python for a library may miss the first.
            for _ in range(2):
                await self._try_interrupt()
                await asyncio.wait({cell.over}, timeout=_GRACE / 2)
                if cell.over.done():
                    return
            cell.heeded = False
            cell.cell.end()
        finally:
            turn.release()

    async def _try_interrupt(self) -> None:
        try:
            if self._kernel_id is not None:
                await self._rest.interrupt(self._kernel_id)
        except (OSError, Answered):  # the cell's end, or its lack, tells
            pass

    async def _connect(self) -> None:
        kernel_id = await self._create()
        channels = self._channels_to(kernel_id)
        try:
            await channels.open()
            ready = await channels.submit("kernel_info_request", {})
            await asyncio.wait_for(asyncio.shield(ready.over), _READY)
            if ready.lost is not None:
                raise ready.lost
        except BaseException:
            await asyncio.shield(self._undo(channels, kernel_id))
            raise
        self._kernel_id, self._channels, self._turn = kernel_id, channels, asyncio.Lock()

    async def _create(self) -> str:
        """Creates a kernel; a caller who leaves meanwhile does not leave it behind."""
        creation = asyncio.ensure_future(self._rest.create(self._kernel_name, self._env))
        try:
            return await asyncio.shield(creation)
        except asyncio.CancelledError:
            await self._rest.delete(await creation)
            raise

    async def _undo(self, channels: Channels, kernel_id: str) -> None:
        await channels.close()
        try:
            await self._rest.delete(kernel_id)
        except (OSError, Answered):  # the reason for the undoing matters more
            pass

    def _channels_to(self, kernel_id: str) -> Channels:
        session = messages.new_id()
        target = f"/api/kernels/{kernel_id}/channels?session_id={session}"

        async def dial() -> WebSocket:
            return await WebSocket.open(
                self.host, self.port, target, tls=self._tls, headers=self._headers
            )

        async def exists() -> bool:
            return await self._rest.exists(kernel_id)

        return Channels(dial, exists, session, self.ping_interval)


class _TimedCell:
    """A cell and how long it may run."""

    def __init__(self, cell: Cell, limit: float | None) -> None:
        self.cell = cell
        self.limit = limit
        self.expired = False
        self.heeded = True
        self.over = cell.over
        self.left = cell.left
        self.next = cell.next
        self.leave = cell.leave


def _outcome(timed: _TimedCell, result: ExecutionResult) -> ExecutionResult:
    cell = timed.cell
    if cell.lost is not None:
        raise KernelDied(cell.lost.ename, cell.lost.evalue, result=result)
    if timed.expired:
        raise ExecutionTimeout(timed.limit or 0, result, timed.heeded)
    reply = cell.reply or {}
    error = cell.error or (reply if reply.get("status") != "ok" else None)
    if error is None:
        return result
    name = str(error.get("ename") or f"the kernel answered {reply.get('status')!r}")
    value = str(error.get("evalue") or "")
    if name in _DEATHS:
        raise KernelDied(name, value, result=result)
    raise ExecutionError(name, value, [str(line) for line in error.get("traceback") or ()], result)


def _checked(timeout: float | None) -> float | None:
    if timeout is None or math.isinf(timeout):
        return None
    if math.isnan(timeout) or timeout < 0:
        raise ValueError(f"timeout is {timeout}, which is no length of time")
    return timeout


def _context(tls: bool | ssl.SSLContext, ca_file: str | None) -> ssl.SSLContext | None:
    if isinstance(tls, ssl.SSLContext):
        return tls
    return ssl.create_default_context(cafile=ca_file) if tls else None


def _for_good(error: BaseException) -> bool:
    if isinstance(error, Refused):
        return error.status in (401, 403)
    return isinstance(error, (Answered, ssl.SSLCertVerificationError)) and (
        not isinstance(error, Answered) or error.for_good
    )


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__
