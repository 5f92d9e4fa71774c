"""The two ways to a Husk: the daemon's Unix socket on this machine, and HTTP(S) to a server."""

from __future__ import annotations

import http.client
import socket
import ssl
import time
from typing import Mapping
from urllib.parse import urlsplit

from husk.daemon import DaemonDoor
from husk.errors import DaemonUnavailable, InvalidRequest

_CONNECT_TIMEOUT = 30.0
_PATIENCE = 30.0


class Door:
    """Opens connections, each ready for a request."""

    prefix = ""
    """What stands before every path."""
    headers: Mapping[str, str] = {}
    """What is sent with every request."""
    distant = False
    """Whether the other end may be another machine."""
    lasting = True
    """Whether an execution can be asked for after its server was lost."""

    def connect(self, patient: bool = False) -> http.client.HTTPConnection:
        """Connects; a patient caller has seen the server a moment ago and expects it back."""
        raise NotImplementedError


class LocalDoor(Door):
    """To the user's daemon, which is started if there is none."""

    def __init__(self, daemon: DaemonDoor) -> None:
        self._daemon = daemon
        self.lasting = daemon.locations.lasting

    def connect(self, patient: bool = False) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("localhost")
        connection.sock = self._daemon.connect_or_start()
        connection.auto_open = 0
        return connection


class ServerDoor(Door):
    """To a ``husk serve``."""

    distant = True

    def __init__(self, url: str, api_key: str | None = None, ca_file: str | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InvalidRequest(
                f"`{url}` is not the address of a server",
                ["give it like `https://host:8080`"],
            )
        self._url = url
        self._host = parts.hostname
        self._port = _port(url)
        self._tls = _tls(ca_file) if parts.scheme == "https" else None
        self.prefix = parts.path.rstrip("/")
        self.headers = {"Authorization": f"Bearer {_header(api_key)}"} if api_key else {}

    def connect(self, patient: bool = False) -> http.client.HTTPConnection:
        deadline = time.monotonic() + (_PATIENCE if patient else 0)
        while True:
            connection = self._new()
            try:
                connection.connect()
                _watch(connection.sock)
                connection.auto_open = 0
                return connection
            except OSError as error:
                connection.close()
                if isinstance(error, ssl.SSLError) or time.monotonic() >= deadline:
                    raise self._unavailable(error) from error
            time.sleep(0.2)

    def _new(self) -> http.client.HTTPConnection:
        if self._tls is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=_CONNECT_TIMEOUT)
        return http.client.HTTPSConnection(
            self._host, self._port, timeout=_CONNECT_TIMEOUT, context=self._tls
        )

    def _unavailable(self, error: OSError) -> DaemonUnavailable:
        remedies = ["look whether `husk serve` runs there, and whether HUSK_URL is right"]
        if isinstance(error, ssl.SSLCertVerificationError):
            remedies = ["set HUSK_CA_FILE to the certificate, or to that of its authority"]
        return DaemonUnavailable(f"`{self._url}` cannot be reached: {error}", remedies)


def _port(url: str) -> int | None:
    try:
        return urlsplit(url).port
    except ValueError as error:
        raise InvalidRequest(f"`{url}` is not the address of a server: {error}") from error


def _tls(ca_file: str | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except OSError as error:
        raise InvalidRequest(
            f"the certificates in `{ca_file}` cannot be read: {error}",
            ["give a file in PEM"],
            "invalid_setting",
        ) from error


def _header(value: str) -> str:
    """Refuses what would end a line and begin another header."""
    if not value.isascii() or not value.isprintable():
        raise InvalidRequest("the API key holds characters that no header can carry")
    return value


def _watch(line: socket.socket) -> None:
    """An answer may take hours; that the other end is gone is found out by TCP itself."""
    line.settimeout(None)
    line.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3)):
        if hasattr(socket, option):
            line.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)
