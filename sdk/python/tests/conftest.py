"""A home of its own for the tests, with a real daemon, of which nothing may be left."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
import threading
from pathlib import Path
from typing import Iterator

import pytest

import husk
from husk import Husk
from support import distribution, gateways, processes_of, request, start_gateway, until


@pytest.fixture(scope="session")
def home() -> Iterator[Path]:
    """The temporary folder that holds the home and the runtime directory of the tests' daemon."""
    root = Path(tempfile.mkdtemp(prefix="hs-"))
    (root / "run").mkdir(mode=0o700)
    (root / "home").mkdir(mode=0o700)
    settings = root / "home" / "husk.toml"
    settings.write_text(f"python = '{os.environ['HUSK_TEST_PYTHON']}'\nbackend = 'host'\n")
    with pytest.MonkeyPatch.context() as patch:
        for name in [n for n in os.environ if n.startswith(("HUSK_", "KERNELBOX_", "AGENTKERNEL_"))]:
            if name != "HUSK_DIST" and not name.startswith("HUSK_TEST"):
                patch.delenv(name)
        patch.setenv("HUSK_DIST", str(distribution().absolute()))
        patch.setenv("HUSK_HOME", str(root / "home"))
        patch.setenv("XDG_RUNTIME_DIR", str(root / "run"))
        yield root
        stop_daemon()
        until(lambda: not processes_of(root), f"processes left: {processes_of(root)}")
    shutil.rmtree(root)


def stop_daemon() -> None:
    husk.wipe()
    request("POST", "/daemon/stop", {"kernels": True})


@pytest.fixture
def name(home: Path) -> Iterator[str]:
    """A kernel's name, which is free before the test and after it."""
    yield "agent"
    husk.wipe()


@pytest.fixture(autouse=True)
def no_threads_left() -> Iterator[None]:
    yield
    until(
        lambda: all(t is threading.main_thread() or t.daemon or _pooled(t) for t in threading.enumerate()),
        "threads are left",
    )


def _pooled(thread: threading.Thread) -> bool:
    return thread.name.startswith(("asyncio_", "ThreadPoolExecutor"))


@pytest.fixture
def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# A module's own, since other modules stop the daemon, and with it whatever listens.


@pytest.fixture(scope="module", params=gateways())
def gateway(request: pytest.FixtureRequest, home: Path) -> Iterator[tuple[str, int]]:
    """Host and port of a running gateway: Husk's, and Jupyter's own where it is installed."""
    with start_gateway(request.param, home) as address:
        yield address


@pytest.fixture(scope="module")
def husk_gateway(home: Path) -> Iterator[tuple[str, int]]:
    """Host and port of Husk's gateway, for what is the client's doing alone."""
    with start_gateway("husk", home) as address:
        yield address


@pytest.fixture(scope="module", params=["daemon", "server"])
def client(request: pytest.FixtureRequest, home: Path, husk_gateway: tuple[str, int]) -> Iterator[Husk]:
    """One that speaks to the daemon, and one to a server over TCP."""
    url = None if request.param == "daemon" else "http://{}:{}".format(*husk_gateway)
    with Husk(url) as opened:
        yield opened
