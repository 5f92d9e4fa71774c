"""Commands in a sandbox. Their output is one streamed answer, each piece of their input a request."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from typing import Any, Iterator, Mapping, Sequence, Union

from husk import frames
from husk.connections import Connections, is_loss, read, unavailable
from husk.errors import HuskError, InvalidRequest, NotFoundInside, from_answer
from husk.paths import segment
from husk.sandbox_model import CommandEnd, CommandResult, Output

_READ_AT_ONCE = 1 << 18

Event = Union[Output, CommandEnd]
"""What comes from a running command; its end comes last."""


def exec_body(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | None = None,
    timeout: float | None = None,
    terminal: tuple[int, int] | None = None,
) -> dict[str, Any]:
    if isinstance(command, (str, bytes)):
        raise TypeError("a command is a list of its program and arguments; no shell reads it")
    body: dict[str, Any] = {"command": [str(word) for word in command]}
    if env is not None:
        body["env"] = dict(env)
    if cwd is not None:
        body["workdir"] = cwd
    if timeout is not None:
        body["timeout"] = timeout
    if terminal is not None:
        body["terminal"] = {"rows": terminal[0], "columns": terminal[1]}
    return body


class Line:
    """A streamed answer, begun with the id by which further requests reach its input."""

    def __init__(self, connections: Connections, method: str, path: str, body: Any = None) -> None:
        self._held = ExitStack()
        try:
            response = self._held.enter_context(
                connections.fresh(method, path, body, frames.MEDIA_TYPE)
            )
            if response.status >= 400:
                read(response)
            self._frames = frames.frames(lambda: response.read1(_READ_AT_ONCE))
            self.id = str(json.loads(self.next()[1]).get("id", ""))
        except BaseException as error:
            self._held.close()
            if is_loss(error):
                raise unavailable(error) from error
            raise

    def next(self) -> tuple[bytes, bytes]:
        """Kind and payload of the next frame that says something."""
        try:
            for kind, payload in self._frames:
                if kind == frames.PROBLEM:
                    raise from_answer(500, payload)
                if kind != frames.HEARTBEAT:
                    return kind, payload
        except (OSError, ValueError, AttributeError) as error:
            if isinstance(error, HuskError):
                raise
            raise unavailable(error) from error
        raise unavailable(EOFError("the stream ended in the middle"))

    def close(self) -> None:
        self._held.close()


class RunningCommand:
    """A line to a command. One thread reads, any thread may write.

    Iterating gives `Output` as it comes and `CommandEnd` last. Whoever reads slowly holds the command back.
    Closing the line, or leaving its ``with`` block, ends the command and all it started, unless it is detached.
    """

    def __init__(
        self,
        connections: Connections,
        sandbox: str,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
    ) -> None:
        self._connections = connections
        self._line = Line(connections, method, f"{sandbox}{path}", body)
        self._path = f"{sandbox}/exec/{segment(self._line.id)}"
        self._over = False

    @property
    def id(self) -> str:
        return self._line.id

    def __iter__(self) -> Iterator[Event]:
        while not self._over:
            kind, payload = self._line.next()
            if kind == frames.RESULT:
                self._over = True
                yield CommandEnd.from_dict(json.loads(payload))
            elif kind in (frames.STDOUT, frames.STDERR):
                yield Output("stdout" if kind == frames.STDOUT else "stderr", payload)

    def collect(self) -> CommandResult:
        """Reads to the end."""
        pieces: dict[str, list[bytes]] = {"stdout": [], "stderr": []}
        end = None
        for event in self:
            if isinstance(event, Output):
                pieces[event.stream].append(event.data)
            else:
                end = event
        if end is None:
            raise InvalidRequest("the command was read to its end already", code="usage")
        return CommandResult(b"".join(pieces["stdout"]), b"".join(pieces["stderr"]), end)

    def write(self, data: bytes | str) -> None:
        """Sends standard input. Waits while the command does not read.

        Raises:
            BrokenPipeError: The command has ended.
        """
        self._send("/stdin", data.encode() if isinstance(data, str) else data)

    def close_stdin(self) -> None:
        """Says that no more input comes."""
        self._send("/stdin?end=1", b"")

    def _send(self, what: str, data: bytes) -> None:
        try:
            self._connections.upload("POST", self._path + what, data)
        except NotFoundInside as ended:
            raise BrokenPipeError(ended.message) from ended

    def signal(self, signal: int | str) -> None:
        """Signals the command itself: a number, or a name such as ``INT``."""
        self._connections.ask_once("POST", f"{self._path}/signal", {"signal": _signal(signal)})

    def resize(self, rows: int, columns: int) -> None:
        body = {"rows": rows, "columns": columns}
        self._connections.ask_once("POST", f"{self._path}/resize", body)

    def feed(self, data: bytes) -> None:
        """Sends all of standard input, while somebody else reads the output."""
        threading.Thread(target=self._feed, args=(data,), name="husk-stdin", daemon=True).start()

    def _feed(self, data: bytes) -> None:
        try:
            self.write(data)
            self.close_stdin()
        except (OSError, HuskError):
            pass  # It has ended without reading all of it, as commands may.

    def close(self) -> None:
        self._line.close()

    def __enter__(self) -> RunningCommand:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _signal(signal: int | str) -> int | str:
    return signal if isinstance(signal, str) else int(signal)


class Forward:
    """A connection to a port inside a sandbox."""

    def __init__(self, connections: Connections, path: str) -> None:
        self._connections = connections
        self._line = Line(connections, "POST", path)
        self._path = f"{path}/{segment(self._line.id)}"
        self._over = False

    def recv(self) -> bytes:
        """The next bytes, however many; none at the end."""
        while not self._over:
            kind, payload = self._line.next()
            if kind == frames.STDOUT:
                return payload
            self._over = kind == frames.RESULT
        return b""

    def sendall(self, data: bytes) -> None:
        self._connections.upload("POST", self._path, data)

    def end(self) -> None:
        """Says that nothing more is sent."""
        self._connections.upload("POST", f"{self._path}?end=1", b"")

    def close(self) -> None:
        self._line.close()

    def __enter__(self) -> Forward:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
