"""One execution asked of the daemon, and seen to its end even if the daemon is lost meanwhile.

The id is chosen here, and an execution is in the registry before its kernel hears of it. So the next
daemon either knows it, and its result is waited for; or it never began, and is sent again. The registry
takes an id only once: code is never run twice.
"""

from __future__ import annotations

import json
import time
from http.client import HTTPResponse
from typing import Any, Callable, Iterator, Mapping, TypeVar

from husk import frames
from husk.connections import JSON, Connections, is_loss, pause_for, read, unavailable
from husk.errors import (
    DaemonUnavailable,
    ExecutionNotFound,
    HuskError,
    InvalidRequest,
    Overloaded,
    from_answer,
)
from husk.events import Ended, Event, Stream, read_event
from husk.hearing import Hearing
from husk.model import ExecutionResult
from husk.paths import execution_path

_MOST_LOSSES = 10
_MOST_PAUSES = 20
_PAUSE = 0.02
_CANCEL_PATIENCE = 10.0
_READ_AT_ONCE = 1 << 18

_T = TypeVar("_T")


class RemoteExecution:
    def __init__(
        self, connections: Connections, execution_id: str, path: str, body: Mapping[str, Any]
    ) -> None:
        self._connections = connections
        self._id = self.execution_id = execution_id
        self._path = path
        self._body = {**body, "execution_id": execution_id}
        self._losses = self._pauses = 0
        self._over = False

    def run(self) -> ExecutionResult:
        """Runs it; whatever ends the waiting from outside, Ctrl-C above all, cancels it."""
        with self._cancelled_if_left():
            while True:
                try:
                    return self._send()
                except Exception as error:
                    known = self._weathered(error)
                if known is not None:
                    return known

    def events(self) -> Iterator[Event]:
        """Runs it and tells what happens; closing the iterator cancels it."""
        hearing = Hearing()
        with self._cancelled_if_left():
            while not self._over:
                try:
                    yield from self._stream(hearing)
                    continue
                except Exception as error:
                    known = self._weathered(error)
                if known is not None:
                    self._over = True
                    yield from hearing.catch_up(known)

    def _cancelled_if_left(self) -> _CancelledIfLeft:
        return _CancelledIfLeft(self)

    def _weathered(self, error: Exception) -> ExecutionResult | None:
        """What is known of it after `error`; None if it is to be sent again."""
        if isinstance(error, Overloaded) and self._pauses < _MOST_PAUSES:
            self._pauses += 1
            pause_for(error)
            return None
        begun_after_all = isinstance(error, InvalidRequest) and self._losses > 0
        if not is_loss(error) and not begun_after_all:
            raise error
        cause = self._connections.lost(error)
        known = self._known()
        if known is None and begun_after_all:
            raise error
        self._losses += 1
        if known is None and (not self._connections.lasting or self._losses > _MOST_LOSSES):
            raise unavailable(cause, self._id)
        return known

    def _known(self) -> ExecutionResult | None:
        """What the next daemon knows of it, waited for; None if it never began."""
        try:
            return await_result(self._connections, self._id)
        except ExecutionNotFound:
            return None

    def _send(self) -> ExecutionResult:
        with self._exchange(JSON) as response:
            return ExecutionResult.from_dict(_unless_stopping(lambda: read(response)))

    def _stream(self, hearing: Hearing) -> Iterator[Event]:
        with self._exchange(frames.MEDIA_TYPE) as response:
            if response.status >= 400:
                _unless_stopping(lambda: read(response))
            for kind, payload in frames.frames(lambda: response.read1(_READ_AT_ONCE)):
                event = _event(kind, payload)
                if isinstance(event, Ended):
                    self._over = True
                    _finish(response)
                    yield event
                    return
                if event is not None:
                    hearing.heard(event)
                    yield event
        raise EOFError("the stream ended without a result")

    def _exchange(self, accept: str) -> Any:
        again = self._losses > 0
        return self._connections.exchange("POST", self._path, self._body, accept, again)

    def cancel(self) -> None:
        """Nobody knows the execution before its kernel is there; until then it is asked again."""
        deadline = time.monotonic() + _CANCEL_PATIENCE
        while not self._over and time.monotonic() < deadline:
            try:
                self._connections.ask("DELETE", execution_path(self._id))
                return
            except ExecutionNotFound:
                time.sleep(_PAUSE)
            except Exception:  # the reason for the cancellation matters more
                return


class _CancelledIfLeft:
    """Cancels an execution that its caller leaves by an exception of the caller's own."""

    def __init__(self, execution: RemoteExecution) -> None:
        self._execution = execution

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None and not issubclass(kind, HuskError):
            self._execution.cancel()


def await_result(connections: Connections, execution_id: str) -> ExecutionResult:
    while True:
        answer = connections.ask("GET", execution_path(execution_id) + "?wait=1")
        if answer["status"] != "running":
            return ExecutionResult.from_dict(answer)
        # Another process than the daemon runs it; its result will be in the registry.
        time.sleep(_PAUSE)


def _event(kind: bytes, payload: bytes) -> Event | None:
    if kind in (frames.STDOUT, frames.STDERR):
        name = "stdout" if kind == frames.STDOUT else "stderr"
        return Stream(name, payload.decode("utf-8", "replace"))
    if kind == frames.RESULT:
        return Ended(ExecutionResult.from_dict(json.loads(payload)))
    if kind == frames.PROBLEM:
        _unless_stopping(lambda: _raise(from_answer(500, payload)))
    return read_event(payload) if kind == frames.EVENT else None


def _unless_stopping(answer: Callable[[], _T]) -> _T:
    """A daemon that stops while the code runs on is a daemon lost: the next one knows the result."""
    try:
        return answer()
    except DaemonUnavailable as stopping:
        raise ConnectionResetError(stopping.message) from stopping


def _raise(error: Exception) -> None:
    raise error


def _finish(response: HTTPResponse) -> None:
    """Reads to the end, so that the connection can be used again; by now its loss is no matter."""
    try:
        response.read()
    except Exception as error:
        if not is_loss(error):
            raise
