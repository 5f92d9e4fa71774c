"""Husk with a port, `husk serve`, and what is asked of it over TCP."""

import http.client
import json
import socket
import subprocess
import time

from .husk import Husk

HOST = "127.0.0.1"


class Served:
    """As a context it serves; leaving it ends the daemon, too."""

    def __init__(self, husk: Husk):
        self.husk = husk
        with socket.socket() as probe:
            probe.bind((HOST, 0))
            self.port = probe.getsockname()[1]

    def __enter__(self) -> "Served":
        command = self.husk.command("serve", "--host", HOST, "--port", str(self.port), "--quiet")
        with open(self.husk.folder / "serve.log", "wb") as log:
            self._process = subprocess.Popen(
                command,
                cwd=self.husk.folder,
                env=self.husk.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._await()
        return self

    def _await(self) -> None:
        for _ in range(600):
            try:
                self.connect().close()
                return
            except OSError:
                if self._process.poll() is not None:
                    said = (self.husk.folder / "serve.log").read_text(errors="replace")
                    raise RuntimeError(f"`husk serve` ended: {said}") from None
                time.sleep(0.1)
        raise RuntimeError("`husk serve` does not answer")

    def __exit__(self, *_) -> None:
        self._process.terminate()
        self._process.wait(60)
        self.husk.stop()

    def connect(self) -> "TcpConnection":
        return TcpConnection(self.port)


class TcpConnection(http.client.HTTPConnection):
    """One connection that is kept, with KernelBox's requests."""

    def __init__(self, port: int):
        super().__init__(HOST, port, timeout=300)
        self.connect()
        # As every client library does: a body need not wait for what the headers' packet says.
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method: str, path: str, body: dict = None):
        self.post(method, path, body, "application/json")
        response = self.getresponse()
        answer = json.loads(response.read())
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {answer.get('detail')}")
        return answer

    def post(self, method: str, path: str, body: dict, accept: str) -> None:
        data = b"" if body is None else json.dumps(body).encode()
        self.request(method, path, data, {"Content-Type": "application/json", "Accept": accept})

    def execute(self, name: str, code: str) -> str:
        result = self.ask("POST", f"/sessions/{name}/execute", {"code": code})
        if result["status"] != "success":
            raise RuntimeError(f"{code!r} gave {result['status']}: {result['error']}")
        return result["return_value"]

    def events(self, name: str, code: str):
        """The server-sent events of an execution, as names and data."""
        body = {"code": code, "timeout": 600}
        self.post("POST", f"/sessions/{name}/execute", body, "text/event-stream")
        response = self.getresponse()
        if response.status >= 400:
            raise RuntimeError(f"execute: {response.status} {response.read()!r}")
        kind = None
        for line in response:
            if line.startswith(b"event: "):
                kind = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                yield kind, json.loads(line[6:])
