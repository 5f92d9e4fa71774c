"""A daemon of one's own: with a home, sockets and kernels that nobody else sees, gone without a trace."""

from __future__ import annotations

import asyncio
import http.client
import importlib.util
import json
import os
import shutil
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any, Callable, Mapping

from husk import installation
from husk.client import Husk
from husk.connections import encode, is_loss, read
from husk.daemon import DaemonDoor
from husk.errors import HuskError
from husk.locations import Locations

_START_LIMIT = 60.0
_CLEANUP_LIMIT = 60.0
_SHOWN_LINES = 12


class OwnDaemon:
    """
    Args:
        environ: The environment of the daemon; kernels get their variables from ``kernel_env`` alone.
        kernel_env: Environment variables of every kernel.
        kernel_cwd: Where kernels start unless they are told otherwise.
        backend: Where kernels live: ``bubblewrap``, or ``host`` for no sandbox.
        sandbox_config: A file with the rules of their sandboxes.
        heard: Told of every line that the daemon prints.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        kernel_env: Mapping[str, str],
        kernel_cwd: str,
        backend: str,
        sandbox_config: str | None,
        heard: Callable[[str], None],
    ) -> None:
        self._caller_environ = environ
        self._kernel_env = kernel_env
        self._kernel_cwd = kernel_cwd
        self._backend = backend
        self._sandbox_config = sandbox_config
        self._heard = heard
        self._printed: deque[str] = deque(maxlen=_SHOWN_LINES)
        self._folder: Path | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._environ: dict[str, str] = {}

    async def start(self) -> None:
        program = installation.daemon_program(self._caller_environ)
        self._folder = Path(tempfile.mkdtemp(prefix="husk-"))
        home, runtime = self._folder / "home", self._folder / "run"
        self._environ = {
            "PATH": self._caller_environ.get("PATH", os.defpath),
            "HUSK_HOME": str(home),
            "HUSK_RUNTIME_DIR": str(runtime),
        }
        if "JAVA_HOME" in self._caller_environ:
            self._environ["JAVA_HOME"] = self._caller_environ["JAVA_HOME"]
        self._locations.prepare()
        self._process = await asyncio.create_subprocess_exec(
            str(program),
            cwd="/",
            env=self._environ,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
        self._reading = asyncio.create_task(self._read())
        await self._answering()

    @property
    def _locations(self) -> Locations:
        return Locations.of(self._environ)

    def caller(self) -> dict[str, Any]:
        """Whom the daemon is to serve for: where kernels start, and what they get."""
        variables = {"HUSK_KERNEL_ENV": json.dumps(dict(self._kernel_env)), "HUSK_BACKEND": self._backend}
        if self._sandbox_config is not None:
            variables["HUSK_SANDBOX_CONFIG"] = self._sandbox_config
        python = _interpreter(self._caller_environ)
        if python:
            variables["HUSK_PYTHON"] = python
        return {
            "cwd": self._kernel_cwd,
            "environment": {"PATH": self._environ["PATH"]},
            "variables": variables,
        }

    async def _read(self) -> None:
        assert self._process is not None and self._process.stdout is not None
        async for line in self._process.stdout:
            text = line.decode("utf-8", "replace").rstrip("\n")
            self._printed.append(text)
            self._heard(text)

    async def _answering(self) -> None:
        assert self._process is not None
        deadline = time.monotonic() + _START_LIMIT
        while not self._locations.socket.exists() or not await self.responds():
            if self._process.returncode is not None or time.monotonic() > deadline:
                printed = "\n".join(self._printed)
                raise RuntimeError(f"the gateway's daemon did not start; it printed:\n{printed}")
            await asyncio.sleep(0.01)

    async def responds(self) -> bool:
        try:
            await self.ask("GET", "/health")
            return True
        except Exception as error:
            if not is_loss(error):
                raise
            return False

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, self._ask, method, path, body)

    def _ask(self, method: str, path: str, body: Any) -> Any:
        line = DaemonDoor(self._locations, self._environ).connect()
        if line is None:
            raise ConnectionRefusedError("the gateway's daemon is gone")
        connection = http.client.HTTPConnection("localhost")
        connection.sock = line
        try:
            content = None if body is None else encode(body)
            connection.request(method, path, content, {"Content-Type": "application/json"})
            return read(connection.getresponse())
        finally:
            connection.close()

    async def wait(self) -> None:
        """Waits for the daemon's end."""
        if self._process is not None:
            await self._process.wait()

    async def stop(self, timeout: float) -> None:
        """Ends the daemon, all its kernels and everything of them; after ``timeout`` by force."""
        try:
            if self._process is not None and not await self._stopped_by_itself(timeout):
                await self._kill()
        finally:
            if self._reading is not None:
                self._reading.cancel()
            await asyncio.get_running_loop().run_in_executor(None, self._remove)

    async def _stopped_by_itself(self, timeout: float) -> bool:
        assert self._process is not None
        if self._process.returncode is not None:
            return False  # it was not asked to: its kernels may live
        try:
            await asyncio.wait_for(self._ask_to_stop(), timeout)
            return True
        except (asyncio.TimeoutError, HuskError):
            return False
        except Exception as error:
            if not is_loss(error):
                raise
            return False

    async def _ask_to_stop(self) -> None:
        await self.ask("POST", "/daemon/stop", {"kernels": True})
        await self.wait()

    async def _kill(self) -> None:
        """A new daemon finds the kernels of a killed one, and ends them."""
        assert self._process is not None
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        clean = asyncio.get_running_loop().run_in_executor(None, self._wipe)
        await asyncio.wait_for(clean, _CLEANUP_LIMIT)

    def _wipe(self) -> None:
        environ = {**self._environ, "HUSK_DIST": str(installation.find(self._caller_environ))}
        with Husk(environ=environ) as husk:
            husk.wipe()
        self._ask("POST", "/daemon/stop", {"kernels": True})
        deadline = time.monotonic() + _CLEANUP_LIMIT
        while self._locations.socket.exists() and time.monotonic() < deadline:
            time.sleep(0.01)

    def _remove(self) -> None:
        if self._folder is None:
            return
        sockets = self._locations.sockets
        if self._folder not in sockets.parents:  # the folder's path was too long for sockets
            shutil.rmtree(sockets, ignore_errors=True)
        shutil.rmtree(self._folder, ignore_errors=True)
        self._folder = None


def _interpreter(environ: Mapping[str, str]) -> str | None:
    """The Python of the kernels: the one asked for, this one if it will do, the user's default."""
    if environ.get("HUSK_PYTHON", "").strip():
        return environ["HUSK_PYTHON"]
    if importlib.util.find_spec("IPython") and importlib.util.find_spec("zmq"):
        return sys.executable
    record = Locations.of(environ).home / "python" / "default" / "environment.json"
    try:
        return str(json.loads(record.read_bytes())["executable"])
    except (OSError, ValueError, KeyError):
        return None  # the daemon makes one
