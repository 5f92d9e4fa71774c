"""The warm parent's side of its control socket: JSON lines in, JSON lines out, and never a wait for anyone."""

import json
import os
import selectors
import socket
import struct

from . import log

_MAX_LINE = 8 * 1024 * 1024
_MAX_UNSENT = 8 * 1024 * 1024


class Client:
    """One connection. ``on_request`` gets each line as a dict; ``on_gone`` is told once when the peer has left."""

    def __init__(self, connection, selector, on_request, on_gone):
        connection.setblocking(False)
        self._connection = connection
        self._selector = selector
        self._on_request = on_request
        self._on_gone = on_gone
        self._received = b""
        self._unsent = b""
        self._open = True
        selector.register(connection, selectors.EVENT_READ, self._on_event)

    def send(self, message):
        if self._open:
            self._unsent += json.dumps(message).encode() + b"\n"
            self._write()

    def close(self):
        """Forgets the connection. Also in a forked child, where the peer notices nothing."""
        if self._open:
            self._open = False
            self._selector.unregister(self._connection)
            self._connection.close()
            self._on_gone(self)

    def close_in_forked_child(self):
        self._open = False
        self._connection.close()

    def _on_event(self, events):
        if events & selectors.EVENT_WRITE:
            self._write()
        if self._open and events & selectors.EVENT_READ:
            self._read()

    def _read(self):
        try:
            data = self._connection.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self.close()
            return
        lines = (self._received + data).split(b"\n")
        self._received = lines.pop()
        if len(self._received) > _MAX_LINE:
            log.write("a client sent a line without end")
            self.close()
        for line in lines:
            if line.strip() and self._open:
                self._handle(line)

    def _handle(self, line):
        try:
            request = json.loads(line.decode("utf-8"))
        except ValueError as error:
            self.refuse(None, "bad_request", "not JSON: %s" % error)
            return
        if not isinstance(request, dict):
            self.refuse(None, "bad_request", "a request is a JSON object")
            return
        self._on_request(self, request)

    def answer(self, request_id, **fields):
        self.send(dict({"id": request_id, "ok": True}, **fields))

    def refuse(self, request_id, code, message):
        self.send({"id": request_id, "ok": False, "error": {"code": code, "message": message}})

    def _write(self):
        try:
            sent = self._connection.send(self._unsent)
        except BlockingIOError:
            sent = 0
        except OSError:
            self.close()
            return
        self._unsent = self._unsent[sent:]
        if len(self._unsent) > _MAX_UNSENT:
            log.write("a client does not read its answers")
            self.close()
            return
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if self._unsent else 0)
        self._selector.modify(self._connection, wanted, self._on_event)


def listen(path):
    """A Unix socket that only this user can reach, in place of whatever was left at the path."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    # Under another name until it listens, so that whoever sees the path can connect.
    unready = "%s.%d" % (path, os.getpid())
    previous = os.umask(0o177)
    try:
        listener.bind(unready)
    finally:
        os.umask(previous)
    listener.listen(128)
    listener.setblocking(False)
    os.rename(unready, path)
    return listener


def is_same_user(connection):
    credentials = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return struct.unpack("3i", credentials)[1] == os.getuid()
