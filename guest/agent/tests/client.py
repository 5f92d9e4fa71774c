"""A small client of the agent's protocol, written from docs/agent-protocol.md alone."""

import socket
import struct
import threading
from pathlib import Path


class Problem(Exception):
    def __init__(self, fields):
        super().__init__(f"{fields['code']}: {fields.get('message')}")
        self.code = fields["code"]
        self.fields = fields


def encode(fields):
    pairs = fields.items() if isinstance(fields, dict) else fields
    out = b""
    for key, value in pairs:
        for one in value if isinstance(value, (list, tuple)) else [value]:
            out += key.encode() + b"=" + (one if isinstance(one, bytes) else str(one).encode()) + b"\0"
    return out


def pairs_of(payload):
    assert payload == b"" or payload.endswith(b"\0")
    return [tuple(part.split(b"=", 1)) for part in payload.split(b"\0")[:-1]]


def decode(payload):
    return {key.decode(): value.decode("utf-8", "surrogateescape") for key, value in pairs_of(payload)}


def frame(kind, payload=b""):
    return kind.encode() + struct.pack(">I", len(payload)) + payload


class Connection:
    """One connection is one operation."""

    def __init__(self, path, timeout=30):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(timeout)
        self.socket.connect(str(path))

    def send(self, kind, payload=b""):
        self.socket.sendall(frame(kind, payload if isinstance(payload, bytes) else encode(payload)))

    def feed(self, data):
        """Sends input until it is over or nobody takes it any more."""
        try:
            for at in range(0, len(data or b""), 65536):
                self.send("I", data[at : at + 65536])
            if data is not None:
                self.send("Z")
        except OSError:
            pass

    def exactly(self, count):
        got = bytearray()
        while len(got) < count:
            part = self.socket.recv(min(count - len(got), 1 << 20))
            if not part:
                return None
            got += part
        return bytes(got)

    def receive(self):
        """The next frame as (kind, payload); None at the end."""
        header = self.exactly(5)
        if header is None:
            return None
        kind, length = chr(header[0]), struct.unpack(">I", header[1:])[0]
        assert length <= 1 << 20
        payload = self.exactly(length)
        assert payload is not None, "truncated"
        if kind in "OED":
            assert length <= 65536
        return kind, payload

    def frames(self):
        while (got := self.receive()) is not None:
            if got[0] == "P":
                raise Problem(decode(got[1]))
            yield got

    def answer(self):
        got = self.receive()
        assert got is not None, "closed without an answer"
        if got[0] == "P":
            raise Problem(decode(got[1]))
        assert got[0] == "A", got
        return decode(got[1])

    def hang_up(self):
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Ended:
    def __init__(self, out, err, end, answer):
        self.out, self.err, self.end, self.answer = out, err, end, answer

    @property
    def code(self):
        return int(self.end["code"])

    @property
    def reason(self):
        return self.end["reason"]


def collect(connection, answer=None):
    out, err, end = bytearray(), bytearray(), None
    for kind, payload in connection.frames():
        if kind == "O":
            out += payload
        elif kind == "E":
            err += payload
        elif kind == "A":
            answer = decode(payload)
        elif kind in "XZ":
            end = decode(payload)
    return Ended(bytes(out), bytes(err), end, answer)


class Agent:
    """The host's side of one agent."""

    def __init__(self, path):
        self.path = Path(path)

    def open(self, op, timeout=30, **fields):
        connection = Connection(self.path, timeout)
        connection.send("Q", encode([("op", op), *fields.items()]))
        return connection

    def ask(self, op, **fields):
        with self.open(op, **fields) as connection:
            return connection.answer()

    def start(self, *words, **fields):
        return self.open("run", arg=list(words), **fields)

    def run(self, *words, input=None, **fields):
        with self.start(*words, stdin=int(input is not None), **fields) as connection:
            feeder = threading.Thread(target=connection.feed, args=(input,))
            feeder.start()
            try:
                return collect(connection)
            finally:
                connection.hang_up()
                feeder.join()

    def shell(self, script, **fields):
        return self.run("/bin/sh", "-c", script, **fields)

    def attach(self, id, **fields):
        with self.open("attach", id=id, **fields) as connection:
            return collect(connection)

    def commands(self):
        with self.open("commands") as connection:
            return [decode(payload) for kind, payload in connection.frames() if kind == "A"]

    def command(self, id):
        return next((c for c in self.commands() if c["id"] == id), None)

    def read(self, path, **fields):
        with self.open("read", path=path, **fields) as connection:
            connection.answer()
            got = list(connection.frames())
            assert got[-1][0] == "Z"
            return b"".join(payload for kind, payload in got if kind == "D")

    def write(self, path, data, **fields):
        with self.open("write", path=path, **fields) as connection:
            for at in range(0, len(data), 65536):
                connection.send("D", data[at : at + 65536])
            connection.send("Z")
            return connection.answer()

    def list(self, path):
        with self.open("list", path=path) as connection:
            return {e["name"]: e for e in (decode(p) for k, p in connection.frames() if k == "A")}
