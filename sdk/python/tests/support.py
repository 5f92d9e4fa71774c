"""What several tests need."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import importlib.util
import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Awaitable, Callable, Iterator

import husk

PATIENCE = 60.0


def distribution() -> Path:
    dist = os.environ.get("HUSK_DIST")
    if not dist:
        raise RuntimeError("set HUSK_DIST to a built Husk and HUSK_TEST_PYTHON to a Python for kernels")
    return Path(dist)


def until(condition: Callable[[], bool], message: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, message
        time.sleep(0.02)


def asynchronous(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
    """Runs an asynchronous test in an event loop of its own."""

    @functools.wraps(test)
    def run(*arguments: Any, **fixtures: Any) -> None:
        async def limited() -> None:
            await asyncio.wait_for(test(*arguments, **fixtures), 2 * PATIENCE)

        asyncio.run(limited())

    return run


def request(method: str, path: str, body: Any = None) -> Any:
    """Asks the daemon something that the library has no function for."""
    return husk.default_husk()._connections.ask(method, path, body)


def daemon_pid() -> int:
    return int(request("GET", "/daemon")["pid"])


def kill_daemon() -> None:
    pid = daemon_pid()
    os.kill(pid, 9)
    until(lambda: not alive(pid), "the daemon survived its death")


def alive(pid: int) -> bool:
    """A zombie that its parent has not reaped yet is not alive."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def processes_of(folder: Path) -> dict[int, str]:
    """The living processes whose command or environment speaks of a folder."""
    found = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            command = (entry / "cmdline").read_bytes()
            if os.fsencode(folder) in command + (entry / "environ").read_bytes():
                if alive(int(entry.name)):
                    found[int(entry.name)] = command.replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
    return found


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    """A program of its own that uses the library."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def gateways() -> list[str]:
    stock = ["jupyter"] if importlib.util.find_spec("kernel_gateway") else []
    return ["husk", *stock]


@contextlib.contextmanager
def start_gateway(kind: str, home: Path) -> Iterator[tuple[str, int]]:
    if kind == "husk":
        listener = request("POST", "/listeners", {"host": "127.0.0.1", "port": 0})
        yield "127.0.0.1", int(listener["port"])
        request("DELETE", f"/listeners/{listener['id']}")
        return
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "jupyter", "kernelgateway", "--KernelGatewayApp.ip=127.0.0.1"]
    with (home / "jupyter.log").open("wb") as log:
        server = subprocess.Popen(
            [*command, f"--KernelGatewayApp.port={port}"], stdout=log, stderr=log
        )
    try:
        until(lambda: _listens(port), "Jupyter's gateway did not start")
        yield "127.0.0.1", port
    finally:
        server.terminate()
        server.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
