"""The server the clients are tried on: Husk, or a stock Kernel Gateway to try the tests on."""

import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

import leftovers

ROOT = pathlib.Path(__file__).resolve().parents[2]
HUSK = ROOT / "app/target/husk/bin/husk"
PATIENCE = 60


class Server:
    """One server with a home of its own; as a context it runs, and leaves nothing behind."""

    host = "127.0.0.1"
    open_to_all = "/api"

    def __init__(self, place: pathlib.Path):
        self.place = place
        self.port = free_port()
        self.url = f"http://{self.host}:{self.port}"
        self.work = place / "work"
        self.work.mkdir()

    def command(self) -> list:
        raise NotImplementedError

    def environment(self) -> dict:
        return surroundings(self.place)

    def __enter__(self) -> "Server":
        self.process = start(self.command(), self.work, self.environment(), self.log)
        await_answer(self.url + self.open_to_all, self.process, self.log)
        return self

    def __exit__(self, *_) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE)

    @property
    def log(self) -> pathlib.Path:
        return self.place / "server.log"


class Husk(Server):
    name = "husk"
    open_to_all = "/health"

    def command(self) -> list:
        return [str(HUSK), "serve", "--host", self.host, "--port", str(self.port)]

    def environment(self) -> dict:
        return {
            **super().environment(),
            "HUSK_HOME": str(self.place / "home"),
            "HUSK_RUNTIME_DIR": str(self.place / "run"),
            "HUSK_PYTHON": sys.executable,
            "HUSK_BACKEND": "host",
        }

    def husk(self, *arguments: str) -> str:
        """What a command prints that is run beside the server, by the same user."""
        done = subprocess.run(
            [str(HUSK), *arguments],
            cwd=self.work,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, f"husk {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    def __exit__(self, *_) -> None:
        super().__exit__()
        self.husk("daemon", "stop", "--kernels")


class Gateway(Server):
    name = "gateway"

    def command(self) -> list:
        options = ("ip", self.host), ("port", self.port), ("port_retries", 0)
        flags = [f"--KernelGatewayApp.{option}={value}" for option, value in options]
        listing = "--JupyterWebsocketPersonality.list_kernels=True"
        return [sys.executable, "-m", "kernel_gateway", listing, *flags]


TARGETS = {target.name: target for target in (Husk, Gateway)}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def surroundings(place: pathlib.Path) -> dict:
    """Nothing of the caller's but where programs are; everything else below the place."""
    return {
        "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(place),
        "LC_ALL": "C.UTF-8",
        "JUPYTER_RUNTIME_DIR": str(place / "jupyter/runtime"),
        "JUPYTER_CONFIG_DIR": str(place / "jupyter/config"),
        "JUPYTER_DATA_DIR": str(place / "jupyter/data"),
        "JUPYTERLAB_WORKSPACES_DIR": str(place / "jupyter/workspaces"),
        "JUPYTERLAB_SETTINGS_DIR": str(place / "jupyter/settings"),
        "IPYTHONDIR": str(place / "ipython"),
        "MPLCONFIGDIR": str(place / "matplotlib"),
    }


def start(command: list, work: pathlib.Path, environment: dict, log: pathlib.Path):
    with open(log, "wb") as output:
        return subprocess.Popen(
            command,
            cwd=work,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )


def await_answer(url: str, process: subprocess.Popen, log: pathlib.Path) -> None:
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(url, timeout=PATIENCE):
                return
        except OSError as problem:
            said = leftovers.end_of(log)
            assert process.poll() is None, f"{process.args[0]} ended: {said}"
            assert time.monotonic() < deadline, f"{url} does not answer: {problem}; {said}"
            time.sleep(0.1)
