"""A gateway of one's own: it starts, serves, and leaves nothing."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Iterator

import pytest

from husk.kernel_mgr import ExecutionError
from husk.kernel_mgr.client import KernelClient
from husk.kernel_mgr.server import KernelGateway
from support import asynchronous, processes_of, until


@pytest.fixture(autouse=True)
def nothing_left(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Gateways make their folders in one of the test's own, so that what they leave is found."""
    tmp_path_factory.getbasetemp()  # not in there
    folder = Path(tempfile.mkdtemp(prefix="hg-"))
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("HUSK_PYTHON", os.environ["HUSK_TEST_PYTHON"])
    yield
    until(lambda: not processes_of(folder), f"left: {processes_of(folder)}")
    assert list(folder.iterdir()) == []
    folder.rmdir()


@asynchronous
async def test_a_client_uses_a_gateway_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLOUD_TOKEN", "secret")
    monkeypatch.chdir(tmp_path)
    async with KernelGateway("127.0.0.1", 0, env={"MINE": "ümläut 'quoted'"}) as gateway:
        async with KernelClient("127.0.0.1", gateway.port) as client:
            code = "import os\nprint(os.environ['MINE'], os.environ.get('CLOUD_TOKEN'), os.environ.get('HOME'))"
            assert (await client.execute(code)).text == "ümläut 'quoted' None None"
            assert (await client.execute("os.getcwd()")).text == f"'{tmp_path}'"
            assert (await client.execute("[n for n in dir() if 'json' in n]")).text == "[]"
        with pytest.raises(RuntimeError, match="already running"):
            await gateway.start()


@asynchronous
async def test_kernels_of_a_sandboxed_gateway_are_shut_in(tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    canary.write_text("secret")
    async with KernelGateway("127.0.0.1", 0, sandbox=True, env={"MINE": "1"}) as gateway:
        async with KernelClient("127.0.0.1", gateway.port) as client:
            code = f"import os; os.getcwd(), os.getuid(), os.environ['MINE'], os.path.exists({str(canary)!r})"
            assert (await client.execute(code)).text == "('/workspace', 1000, '1', False)"


@asynchronous
async def test_stopping_ends_running_kernels() -> None:
    gateway = KernelGateway("127.0.0.1", 0)
    await gateway.start()
    client = KernelClient("127.0.0.1", gateway.port)
    await client.connect()
    busy = asyncio.ensure_future(
        client.execute("import subprocess; subprocess.run(['sleep', '600'])", timeout=None)
    )
    joined = asyncio.ensure_future(gateway.join())
    await asyncio.sleep(0.3)
    await gateway.stop()
    await joined
    await gateway.stop()
    busy.cancel()
    await asyncio.gather(busy, return_exceptions=True)
    with pytest.raises((OSError, RuntimeError)):
        await client.disconnect()


@asynchronous
async def test_a_gateway_that_does_not_stop_is_killed_with_its_kernels() -> None:
    gateway = KernelGateway("127.0.0.1", 0)
    await gateway.start()
    client = KernelClient("127.0.0.1", gateway.port)
    await client.connect()
    assert gateway._daemon is not None and gateway._daemon._process is not None
    os.kill(gateway._daemon._process.pid, signal.SIGSTOP)
    await gateway.stop(timeout=0.5)
    with pytest.raises((OSError, RuntimeError)):
        await client.disconnect()


@asynchronous
async def test_a_killed_gateway_is_cleaned_up_after() -> None:
    async with KernelGateway("127.0.0.1", 0) as gateway:
        client = KernelClient("127.0.0.1", gateway.port)
        await client.connect()
        assert gateway._daemon is not None and gateway._daemon._process is not None
        os.kill(gateway._daemon._process.pid, signal.SIGKILL)
        await gateway.join()
    with pytest.raises((OSError, RuntimeError)):
        await client.disconnect()


@asynchronous
async def test_a_port_that_is_taken_is_said_clearly() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(RuntimeError, match=str(port)):
            await KernelGateway("127.0.0.1", port).start()


@asynchronous
async def test_beyond_loopback_a_key_is_needed() -> None:
    with pytest.raises(RuntimeError, match="(?i)key"):
        await KernelGateway("0.0.0.0", 0).start()
    async with KernelGateway("0.0.0.0", 0, api_keys=["sesame"]) as gateway:
        with pytest.raises(RuntimeError, match="401"):
            await KernelClient("127.0.0.1", gateway.port).connect()
        async with KernelClient("127.0.0.1", gateway.port, token="sesame") as client:
            assert (await client.execute("1 + 1")).text == "2"


@asynchronous
async def test_a_sandbox_configuration_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "secret").write_text("x")
    rules = {
        "network": {"allowedDomains": [], "deniedDomains": []},
        "filesystem": {"denyRead": ["secret"], "allowWrite": ["out"], "denyWrite": []},
    }
    (tmp_path / "rules.json").write_text(json.dumps(rules))
    async with KernelGateway("127.0.0.1", 0, sandbox=True, sandbox_config=Path("rules.json")) as gateway:
        async with KernelClient("127.0.0.1", gateway.port) as client:
            assert (await client.execute("import os; os.getcwd()")).text == repr(str(tmp_path))
            await client.execute("open('out/f', 'w').write('kept')")
            assert (tmp_path / "out" / "f").read_text() == "kept"
            for denied in ("open('secret').read()", "open('elsewhere', 'w')", "open('out/../x', 'w')"):
                with pytest.raises(ExecutionError):
                    await client.execute(denied)


@asynchronous
async def test_a_sandbox_configuration_that_cannot_be_honoured_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="sandbox=True"):
        await KernelGateway(sandbox_config=tmp_path / "none.json").start()
    with pytest.raises(RuntimeError, match="none.json"):
        await KernelGateway(sandbox=True, sandbox_config=tmp_path / "none.json").start()


@asynchronous
async def test_logs_go_to_standard_error_from_the_level_on(
    capsys: pytest.CaptureFixture[str],
) -> None:
    async with KernelGateway("127.0.0.1", 0, log_to_stderr=True):
        pass
    assert "husk.daemon: serving" in capsys.readouterr().err
    async with KernelGateway("127.0.0.1", 0, log_level="ERROR", log_to_stderr=True):
        pass
    assert capsys.readouterr().err == ""
    with pytest.raises(ValueError, match="log_level"):
        KernelGateway(log_level="LOUD")


def test_the_module_runs_until_it_is_told_to_stop(free_port: int) -> None:
    command = [sys.executable, "-m", "husk.kernel_mgr.server", "--host", "127.0.0.1"]
    server = subprocess.Popen([*command, "--port", str(free_port)], stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    lines = iter(server.stderr.readline, "")
    assert any(f"listening on http://127.0.0.1:{free_port}" in line for line in lines)
    server.send_signal(signal.SIGTERM)
    server.communicate()
    assert server.returncode == 0


def test_the_constructor_is_ipyboxs() -> None:
    parameters = list(inspect.signature(KernelGateway).parameters.values())
    assert [(p.name, p.default) for p in parameters[:7]] == [
        ("host", "localhost"),
        ("port", 8888),
        ("sandbox", False),
        ("sandbox_config", None),
        ("log_level", "INFO"),
        ("log_to_stderr", False),
        ("env", None),
    ]
    assert inspect.signature(KernelGateway.stop).parameters["timeout"].default == 10
