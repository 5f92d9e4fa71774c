"""Connections to the daemon or server: each serves one thread at a time, and is kept for the next."""

from __future__ import annotations

import http.client
import json
import os
import time
from collections import deque
from contextlib import contextmanager
from typing import IO, Any, Iterator, Mapping

from husk.doors import Door
from husk.errors import DaemonUnavailable, InvalidRequest, Overloaded, from_answer

JSON = "application/json"
BYTES = "application/octet-stream"
_PIECE = 1 << 16
_ATTEMPTS = 5
_MOST_IDLE = 16
# The daemon hangs up on those that idle for minutes; long before that they are not used again.
_LONGEST_IDLE = 30.0
_MOST_PAUSES = 20


def is_loss(error: BaseException) -> bool:
    """Whether an exception means that the connection is gone.

    A signal's handler may raise anything here, a ``TimeoutError`` above all; that one has no errno, and
    is the caller's.
    """
    if isinstance(error, (ConnectionError, http.client.HTTPException, EOFError)):
        return True
    return isinstance(error, OSError) and error.errno is not None


class Connections:
    def __init__(self, door: Door) -> None:
        self._door = door
        self._idle: deque[tuple[http.client.HTTPConnection, float]] = deque()
        self._process = os.getpid()
        self._closed = False

    @property
    def lasting(self) -> bool:
        return self._door.lasting

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Asks what may be asked twice: should the daemon be lost, the next one is asked."""
        for attempt in range(_ATTEMPTS):
            try:
                return self._answer(self._take(patient=attempt > 0), method, path, body)
            except Exception as error:
                if not is_loss(error):
                    raise
                latest = self.lost(error)
        raise unavailable(latest)

    def ask_once(self, method: str, path: str, body: Any = None) -> Any:
        """Asks what may have been done even if no answer came, on a line that is surely good."""
        try:
            return self._answer(self._open(), method, path, body)
        except Exception as error:
            if not is_loss(error):
                raise
            raise unavailable(self.lost(error)) from error

    def _answer(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: Any
    ) -> Any:
        for _ in range(_MOST_PAUSES):
            try:
                with self._exchange(connection, method, path, body, JSON) as response:
                    return read(response)
            except Overloaded as busy:
                overloaded = busy
                pause_for(busy)
                connection = self._take()
        raise overloaded

    @contextmanager
    def exchange(
        self, method: str, path: str, body: Any, accept: str, patient: bool = False
    ) -> Iterator[http.client.HTTPResponse]:
        """One request and the answer's head; the connection is kept if the body is read."""
        with self._exchange(self._take(patient), method, path, body, accept) as response:
            yield response

    @contextmanager
    def fresh(
        self, method: str, path: str, body: Any, accept: str
    ) -> Iterator[http.client.HTTPResponse]:
        """The same on a line that is surely good, for what must not be asked twice."""
        with self._exchange(self._open(), method, path, body, accept) as response:
            yield response

    def upload(self, method: str, path: str, content: bytes | IO[bytes]) -> Any:
        """Sends bytes of which none are kept; half of them are never taken for the whole."""
        connection = self._open()
        headers = {**self._door.headers, "Accept": JSON, "Content-Type": BYTES}
        try:
            _send(connection, method, self._door.prefix + path, content, headers)
            return read(connection.getresponse())
        except Exception as error:
            if not is_loss(error):
                raise
            raise unavailable(error) from error
        finally:
            connection.close()

    @contextmanager
    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        method: str,
        path: str,
        body: Any,
        accept: str,
    ) -> Iterator[http.client.HTTPResponse]:
        headers = {**self._door.headers, "Accept": accept}
        content = None
        if body is not None:
            headers["Content-Type"] = JSON
            content = encode(body)
        reusable = False
        try:
            connection.request(method, self._door.prefix + path, content, headers)
            response = connection.getresponse()
            try:
                yield response
            finally:
                reusable = response.isclosed() and not response.will_close
        finally:
            if reusable:
                self._give(connection)
            else:
                connection.close()

    def _take(self, patient: bool = False) -> http.client.HTTPConnection:
        """A connection that may have gone stale since its last use."""
        self._notice_fork()
        while self._idle:
            try:
                connection, since = self._idle.popleft()
            except IndexError:  # another thread was faster
                break
            if time.monotonic() - since < _LONGEST_IDLE:
                return connection
            connection.close()
        return self._open(patient)

    def _open(self, patient: bool = False) -> http.client.HTTPConnection:
        if self._closed:
            raise InvalidRequest(
                "this Husk was closed", ["open another one; kernels are still there"], "usage"
            )
        return self._door.connect(patient)

    def _give(self, connection: http.client.HTTPConnection) -> None:
        usable = connection.sock is not None and not self._closed
        if usable and os.getpid() == self._process and len(self._idle) < _MOST_IDLE:
            self._idle.appendleft((connection, time.monotonic()))
        else:
            connection.close()

    def _notice_fork(self) -> None:
        """What a parent process keeps is its own: two processes on one line would mix answers."""
        if os.getpid() != self._process:
            self._process = os.getpid()
            self._forget()

    def lost(self, how: BaseException) -> BaseException:
        """Forgets the connections to a daemon that seems to be gone."""
        self._forget()
        return how

    def _forget(self) -> None:
        while self._idle:
            try:
                self._idle.popleft()[0].close()
            except IndexError:
                return

    def close(self) -> None:
        self._closed = True
        if os.getpid() == self._process:
            self._forget()


def read(response: http.client.HTTPResponse) -> Any:
    """The answer, or the error that it describes."""
    content = response.read()
    if response.status >= 400:
        error = from_answer(response.status, content)
        if isinstance(error, Overloaded):
            error.retry_after = response.getheader("Retry-After")
        raise error
    if response.headers.get_content_type() != JSON:
        return content.decode("utf-8", "replace")
    return json.loads(content)


def _send(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    content: bytes | IO[bytes],
    headers: Mapping[str, str],
) -> None:
    """A server that no longer reads has said why; whoever calls this reads it."""
    try:
        if isinstance(content, (bytes, bytearray)):
            connection.request(method, path, content, headers)
        else:
            chunked = {**headers, "Transfer-Encoding": "chunked"}
            pieces = iter(lambda: content.read(_PIECE), b"")
            connection.request(method, path, pieces, chunked, encode_chunked=True)
    except (BrokenPipeError, ConnectionResetError):
        pass


def encode(body: Any) -> bytes:
    try:
        return json.dumps(body, allow_nan=False).encode("ascii")
    except (TypeError, ValueError) as error:
        raise InvalidRequest(f"a value cannot be sent: {error}") from error


def pause_for(busy: Overloaded) -> None:
    try:
        seconds = float(busy.retry_after or 1)
    except ValueError:
        seconds = 1.0
    time.sleep(min(max(seconds, 0.05), 5.0))


def unavailable(cause: BaseException, execution_id: str | None = None) -> DaemonUnavailable:
    remedies = [
        "what was asked for may have been done; look before you ask again",
        "`husk daemon logs` shows what happened to the daemon",
    ]
    if execution_id:
        remedies.insert(0, f"the execution's id is {execution_id}: its result can be fetched by it")
    error = DaemonUnavailable(f"the connection to the daemon was lost: {cause}", remedies)
    error.__cause__ = cause
    return error
