"""Husk as its users have it: the command, and HTTP over the daemon's Unix socket."""

import http.client
import json
import os
import pathlib
import socket
import struct
import subprocess
import time
import urllib.parse

from . import processes

FRAMES = "application/vnd.husk.frames"
JSON = {"Content-Type": "application/json"}


class Husk:
    def __init__(self, dist: pathlib.Path, folder: pathlib.Path, environment: dict):
        self.dist = dist
        self.folder = folder
        self.environment = environment
        self.socket = folder / "r/daemon.sock"

    def command(self, *arguments: str) -> list:
        return [str(self.dist / "bin/husk"), *arguments]

    def run(self, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            self.command(*arguments),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=True,
        )

    def __enter__(self) -> "Husk":
        self.run("daemon", "start")
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends the kernels and the daemon, if there is one, and waits until it is gone."""
        try:
            connection = self.connect()
        except OSError:
            return
        pid = connection.ask("GET", "/daemon")["pid"]
        connection.ask("POST", "/daemon/stop", {"kernels": True})
        connection.close()
        processes.await_end(pid, 60)

    def connect(self) -> "Connection":
        return Connection(self.socket, self._caller())

    def daemon_pid(self) -> int:
        connection = self.connect()
        try:
            return connection.ask("GET", "/daemon")["pid"]
        finally:
            connection.close()

    def _caller(self) -> dict:
        """What the command tells the daemon about its caller."""
        settings = {k: v for k, v in self.environment.items() if k.startswith("HUSK_")}
        ordinary = {k: v for k, v in self.environment.items() if k not in settings}
        return {"cwd": str(self.folder), "environment": ordinary, "variables": settings}


class Connection(http.client.HTTPConnection):
    """One connection that is kept."""

    def __init__(self, path: pathlib.Path, caller: dict):
        super().__init__("husk", timeout=300)
        self._path = str(path)
        self._caller = caller
        self.connect()

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)

    def ask(self, method: str, path: str, body: dict = None):
        self.request(method, path, b"" if body is None else json.dumps(body).encode(), JSON)
        response = self.getresponse()
        answer = json.loads(response.read())
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {answer.get('detail')}")
        return answer

    def execute(self, name: str, code: str, create: bool = False, **more) -> str:
        """The value of the code's last line; anything but success is an error."""
        path = f"/kernels/{urllib.parse.quote(name, safe='')}/execute"
        body = {"code": code, "create": create, "client": self._caller, **more}
        result = self.ask("POST", path, body)
        if result["status"] != "success":
            raise RuntimeError(f"{code!r} gave {result['status']}: {result['error']}")
        return result["return_value"]

    def destroy(self, name: str) -> None:
        self.ask("DELETE", f"/kernels/{urllib.parse.quote(name, safe='')}")

    def stream(self, name: str, code: str, heard) -> dict:
        """Runs code without limits, gives its output to `heard` as it comes, and the result."""
        body = {"code": code, "timeout": 0, "client": self._caller}
        path = f"/kernels/{urllib.parse.quote(name, safe='')}/execute"
        self.request("POST", path, json.dumps(body).encode(), {**JSON, "Accept": FRAMES})
        response = self.getresponse()
        if response.status >= 400:
            raise RuntimeError(f"POST {path}: {response.status} {response.read()!r}")
        result = None
        for kind, payload in frames(response):
            if kind in b"OE":
                heard(payload)
            elif kind == b"R":
                result = json.loads(payload)
            elif kind == b"P":
                raise RuntimeError(f"POST {path}: {payload.decode()}")
        if result is None:
            raise RuntimeError(f"POST {path}: the stream ended without a result")
        return result


def frames(response):
    """A byte for the kind, four for the length, the payload; again and again."""
    pending = bytearray()
    while True:
        some = response.read1(1 << 18)
        if not some:
            if pending:
                raise RuntimeError("the stream ended in the middle of a frame")
            return
        pending += some
        at = 0
        while len(pending) - at >= 5:
            (length,) = struct.unpack_from(">I", pending, at + 1)
            end = at + 5 + length
            if len(pending) < end:
                break
            yield bytes(pending[at : at + 1]), bytes(pending[at + 5 : end])
            at = end
        del pending[:at]


def timed(action) -> float:
    """Milliseconds."""
    start = time.perf_counter()
    action()
    return (time.perf_counter() - start) * 1000


def check(value: str) -> None:
    if value != "2":
        raise RuntimeError(f"1+1 gave {value!r}")


def uncached(dist: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """The same installation without the caches that make it start faster."""
    copy = folder / "dist"
    (copy / "bin").mkdir(parents=True)
    for program in (dist / "bin").iterdir():
        target = copy / "bin" / program.name
        target.write_bytes(program.read_bytes())
        target.chmod(program.stat().st_mode)
    for name in os.listdir(dist):
        if name != "bin" and not name.endswith(".aot"):
            (copy / name).symlink_to(dist / name)
    return copy
