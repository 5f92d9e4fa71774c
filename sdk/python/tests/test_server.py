"""The same library against a server over HTTP and HTTPS."""

from __future__ import annotations

import contextlib
import http.server
import os
import socket
import threading
from pathlib import Path
from typing import Any, Iterator

import pytest

import husk
from husk import Husk
from support import request, until

KEY = "correct horse battery staple"


def serve(**options: Any) -> Any:
    return request("POST", "/listeners", {"host": "127.0.0.1", "port": 0, **options})


@pytest.fixture
def server(name: str) -> Iterator[str]:
    listener = serve(api_keys=[KEY])
    yield str(listener["url"])
    request("DELETE", f"/listeners/{listener['id']}?drain=0")


def test_a_server_is_used_like_the_daemon(server: str, name: str) -> None:
    with Husk(server, KEY) as remote:
        kernel = remote.get_or_create(name)
        assert remote.execute(kernel, "x = 20; x + 1").return_value == "21"
        assert [type(e).__name__ for e in remote.stream(kernel, "print(x)")] == [
            "Started",
            "Stream",
            "Ended",
        ]
        assert len(remote.execute_with_retry(kernel, "1/0", lambda r, a: None).attempts) == 5
        assert remote.status(kernel).alive
        assert remote.destroy(name)


def test_the_environment_names_a_server(
    server: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HUSK_URL", server + "/")
    monkeypatch.setenv("HUSK_API_KEY", KEY)
    monkeypatch.setenv("HUSK_DIST", "/nowhere")
    monkeypatch.setenv("KERNELBOX_EXECUTION_TIMEOUT", "0.3")
    assert husk.execute(name, "1 + 1").return_value == "2"
    assert husk.execute(name, "while True: pass").status == "timeout"


def test_what_would_give_the_servers_account_is_refused_unless_it_was_opened(name: str) -> None:
    asked = {"client": {"variables": {"HUSK_BACKEND": "bubblewrap"}}}
    closed, opened = serve(**asked), serve(**asked, allow_host_backend=True)
    try:
        with Husk(closed["url"]) as remote, pytest.raises(husk.KernelBoxError) as caught:
            remote.create(name, backend="host")
        assert caught.value.code == "not_open_over_tcp"
        assert "--allow-host-backend" in str(caught.value)
        with Husk(opened["url"]) as remote:
            assert remote.create(name, backend="host").backend == "host"
        with Husk(closed["url"]) as remote, pytest.raises(husk.KernelBoxError, match="not open"):
            remote.execute(name, "1")
    finally:
        for listener in (closed, opened):
            request("DELETE", f"/listeners/{listener['id']}?drain=0")


@pytest.mark.parametrize("key", [None, "wrong"])
def test_a_wrong_key_is_refused(server: str, key: str | None) -> None:
    with pytest.raises(husk.KernelBoxError) as caught:
        Husk(server, key).list_kernels()
    assert caught.value.code == "unauthenticated"


def test_a_key_that_would_forge_headers_is_refused(server: str) -> None:
    with pytest.raises(ValueError, match="header"):
        Husk(server, "a\r\nHost: evil")


def test_a_server_that_is_not_there_is_said_clearly(free_port: int) -> None:
    with pytest.raises(husk.DaemonUnavailable, match=f"127.0.0.1:{free_port}.*refused"):
        Husk(f"http://127.0.0.1:{free_port}").list_kernels()


@pytest.mark.parametrize("url", ["ftp://host", "host:80", "http://", "http://host:port"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="not the address of a server"):
        Husk(url)


def test_certificates_are_verified(name: str, home: Path) -> None:
    listener = serve(tls=True, api_keys=[KEY])
    try:
        with pytest.raises(husk.DaemonUnavailable, match="HUSK_CA_FILE"):
            Husk(listener["url"], KEY).list_kernels()
        authority = home / "home" / "tls" / "127.0.0.1.pem"
        with Husk(listener["url"], KEY, ca_file=str(authority)) as remote:
            assert remote.execute(name, "6 * 7").return_value == "42"
    finally:
        request("DELETE", f"/listeners/{listener['id']}?drain=0")


def test_an_unreadable_authority_is_said_clearly(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        Husk("https://localhost", ca_file=str(tmp_path / "none.pem"))


class Proxy:
    """Passes bytes between clients and a server, until it is told to cut the line."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self._lines: list[socket.socket] = []
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self._threads = [threading.Thread(target=self._serve)]
        self._threads[0].start()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._door.accept()
            except OSError:
                return
            other = socket.create_connection(("127.0.0.1", self._target))
            self._lines += [line, other]
            for source, sink in ((line, other), (other, line)):
                thread = threading.Thread(target=self._pass, args=(source, sink))
                thread.start()
                self._threads.append(thread)

    @staticmethod
    def _pass(source: socket.socket, sink: socket.socket) -> None:
        try:
            while True:
                data = source.recv(65536)
                if not data:
                    break
                sink.sendall(data)
        except OSError:
            pass
        for line in (source, sink):
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def cut(self) -> None:
        for line in self._lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.cut()
        for thread in self._threads:
            thread.join()
        for line in self._lines:
            line.close()


def test_an_execution_outlives_its_connection_and_runs_once(name: str, tmp_path: Path) -> None:
    listener = serve()
    proxy = Proxy(listener["port"])
    runs, go = tmp_path / "runs", tmp_path / "go"

    def cut_while_it_runs() -> None:
        until(runs.exists, "the code did not start")
        proxy.cut()
        go.touch()

    cutting = threading.Thread(target=cut_while_it_runs)
    code = f"""
import os, time
open({str(runs)!r}, "a").write("x")
while not os.path.exists({str(go)!r}): time.sleep(0.01)
"through"
"""
    with Husk(proxy.url) as remote:
        remote.get_or_create(name)
        cutting.start()
        result = remote.execute(name, code)
    cutting.join()
    proxy.close()
    request("DELETE", f"/listeners/{listener['id']}?drain=0")
    assert result.return_value == "'through'"
    assert runs.read_text() == "x"


class Busy(http.server.BaseHTTPRequestHandler):
    """Is overloaded twice, then answers."""

    asked = 0

    def do_GET(self) -> None:
        Busy.asked += 1
        busy = Busy.asked < 3
        body = (
            b'{"error": {"code": "overloaded", "message": "busy", "remedies": []}}'
            if busy
            else b'{"kernels": []}'
        )
        self.send_response(503 if busy else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        pass


def test_a_busy_server_is_asked_again() -> None:
    with http.server.HTTPServer(("127.0.0.1", 0), Busy) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with Husk(f"http://127.0.0.1:{server.server_port}", environ=dict(os.environ)) as remote:
            assert remote.list_kernels() == []
        server.shutdown()
        thread.join()
    assert Busy.asked == 3
