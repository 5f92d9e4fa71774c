"""A kernel gateway of one's own, in the shape of ipybox's."""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import os
import signal
import sys
from pathlib import Path
from typing import Mapping, Sequence

from husk.errors import HuskError
from husk.kernel_mgr.own_daemon import OwnDaemon

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
_SEVERITIES = {
    "FINEST": logging.DEBUG,
    "FINER": logging.DEBUG,
    "FINE": logging.DEBUG,
    "CONFIG": logging.DEBUG,
    "INFO": logging.INFO,
    "WARNING": logging.WARNING,
}


class KernelGateway:
    """Manages a kernel gateway process: a Husk of its own that listens on a port.

    The gateway provides a REST and WebSocket API for creating and communicating with IPython kernels. Use
    `KernelClient` to create and connect to an IPython kernel and execute code; any Jupyter client will do.

    Example:
        ```python
        async with KernelGateway(host="localhost", port=8888) as gateway:
            # Gateway is running, connect with KernelClient
            await gateway.join()  # Wait until gateway stops
        ```

    Args:
        host: Hostname or IP address to bind the gateway to. Beyond loopback an API key is needed.
        port: Port number the gateway listens on; 0 for one that is free, which is in ``port`` after the start.
        sandbox: Whether to isolate the gateway's kernels, each in a sandbox of its own.
        sandbox_config: Path to a JSON file with sandbox configuration, as sandbox-runtime reads it.
        log_level: Logging level for the gateway process.
        log_to_stderr: Whether to redirect gateway logs to stderr.
        env: Environment variables to set for kernels created by the gateway. Kernels do not inherit
            environment variables from the parent process, ``PATH`` apart, so any required variables must be
            explicitly provided.
        api_keys: Keys, one of which clients must show.
        working_dir: Where kernels start; default the current directory.
    """

    def __init__(
        self,
        host: str = "localhost",
        port: int = 8888,
        sandbox: bool = False,
        sandbox_config: Path | None = None,
        log_level: str = "INFO",
        log_to_stderr: bool = False,
        env: Mapping[str, str] | None = None,
        *,
        api_keys: Sequence[str] = (),
        working_dir: Path | None = None,
    ) -> None:
        if log_level not in _LEVELS:
            raise ValueError(f"log_level is {log_level!r}, but must be one of {', '.join(_LEVELS)}")
        self.host = host
        self.port = port
        self.sandbox = sandbox
        self.sandbox_config = sandbox_config
        self.log_level = log_level
        self.log_to_stderr = log_to_stderr
        self.env = dict(env or {})
        self.working_dir = working_dir
        self.url: str | None = None
        self._api_keys = list(api_keys)
        self._daemon: OwnDaemon | None = None

    async def __aenter__(self) -> KernelGateway:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Starts the kernel gateway process, and returns when it listens.

        Raises:
            RuntimeError: If the gateway is already running, or cannot be started.
        """
        if self._daemon is not None:
            raise RuntimeError("Kernel gateway is already running")
        self._refuse_sandbox()
        daemon = OwnDaemon(
            os.environ,
            self.env,
            str((self.working_dir or Path.cwd()).resolve()),
            "bubblewrap" if self.sandbox else "host",
            None if self.sandbox_config is None else str(self.sandbox_config.resolve()),
            self._heard,
        )
        self._daemon = daemon
        try:
            await daemon.start()
            await self._listen(daemon)
        except BaseException as error:
            self._daemon = None
            await asyncio.shield(daemon.stop(0))
            if isinstance(error, HuskError):
                raise RuntimeError(f"the gateway cannot be started: {error}") from error
            raise

    async def stop(self, timeout: float = 10) -> None:
        """Stops the kernel gateway process.

        Terminates the gateway and all its kernels. If the process doesn't stop within the timeout, it is
        forcefully killed, and its kernels with it.

        Args:
            timeout: Maximum time in seconds to wait for graceful termination.
        """
        daemon, self._daemon = self._daemon, None
        if daemon is not None:
            await daemon.stop(timeout)

    async def join(self) -> None:
        """Waits for the kernel gateway process to exit."""
        if self._daemon is not None:
            await self._daemon.wait()

    async def _listen(self, daemon: OwnDaemon) -> None:
        listener = await daemon.ask(
            "POST",
            "/listeners",
            {
                "host": self.host,
                "port": self.port,
                "api_keys": self._api_keys,
                "owner_pid": os.getpid(),
                "client": daemon.caller(),
            },
        )
        self.port = listener["port"]
        self.url = listener["url"]

    def _refuse_sandbox(self) -> None:
        """A promise that cannot be kept is not made."""
        if self.sandbox_config is None:
            return
        if not self.sandbox:
            raise RuntimeError("sandbox_config is given, but sandbox=True is not")
        try:
            json.loads(self.sandbox_config.read_text())
        except (OSError, ValueError) as error:
            raise RuntimeError(f"the sandbox configuration {self.sandbox_config} cannot be read: {error}") from error

    def _heard(self, line: str) -> None:
        if self.log_to_stderr and _level(line) >= getattr(logging, self.log_level):
            print(line, file=sys.stderr, flush=True)


def _level(line: str) -> int:
    """How grave a line of the daemon's log is; lines that do not say belong to something grave."""
    words = line.split(" ", 2)
    return _SEVERITIES.get(words[1] if len(words) == 3 else "", logging.ERROR)


async def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m husk.kernel_mgr.server",
        description="Start a kernel gateway",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    parser.add_argument("--host", default="localhost", help="the host name to bind to")
    parser.add_argument("--port", type=int, default=8888, help="the port to bind to")
    parser.add_argument("--log-level", default="INFO", choices=_LEVELS, help="how much is logged")
    chosen = parser.parse_args(arguments)
    told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, told.set)
    gateway = KernelGateway(chosen.host, chosen.port, log_level=chosen.log_level, log_to_stderr=True)
    async with gateway:
        print(f"listening on {gateway.url}", file=sys.stderr, flush=True)
        waiting = {asyncio.ensure_future(told.wait()), asyncio.ensure_future(gateway.join())}
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in waiting:
            task.cancel()


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except RuntimeError as error:
        sys.exit(f"error: {error}")
