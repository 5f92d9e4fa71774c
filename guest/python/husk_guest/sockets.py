"""The five sockets of a kernel, bound as its connection file says."""

import contextlib
import json
import os
import socket as socket_module
import stat

import zmq
from zmq.backend import Socket as _Socket

# Plain numbers: arithmetic on zmq's enums costs more than the calls they are made for.
_EVENTS, _POLLIN = int(zmq.EVENTS), int(zmq.POLLIN)
_LAST_FRAME = int(zmq.NOBLOCK)
_MORE_FRAMES = int(zmq.NOBLOCK) | int(zmq.SNDMORE)

# Enough for a burst; each stream message is at most 64 KiB, so a slow client costs at most 32 MiB here.
IOPUB_HIGH_WATER = 512
# How long the last messages may take to leave after the kernel has ended.
LINGER_MS = 2000


def read_connection_file(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def send(socket, frames):
    """Sends a whole message or raises zmq.Again; half the price of send_multipart."""
    for frame in frames[:-1]:
        _Socket.send(socket, frame, _MORE_FRAMES)
    _Socket.send(socket, frames[-1], _LAST_FRAME)


def has_message(socket):
    return bool(_Socket.get(socket, _EVENTS) & _POLLIN)


PORTS = ("shell_port", "control_port", "stdin_port", "hb_port", "iopub_port")


def address(connection, port):
    ip, number = connection["ip"], connection[port]
    if connection.get("transport", "tcp") == "ipc":
        return "ipc://%s-%s" % (ip, number)
    return "tcp://%s:%s" % (ip, number)


class Sockets:
    """Owns the ZeroMQ context. Which thread may touch which socket is said in ``kernel``.

    ``listening`` has descriptors, by port, that listen already: a kernel in a sandbox cannot see where it is to bind.
    """

    def __init__(self, connection, listening=None):
        self._connection = connection
        self._listening = listening or {}
        self._bound = []
        self.context = zmq.Context()
        self.shell = self._bind(zmq.ROUTER, "shell_port")
        self.control = self._bind(zmq.ROUTER, "control_port")
        self.stdin = self._bind(zmq.ROUTER, "stdin_port")
        self.heartbeat = self._bind(zmq.ROUTER, "hb_port")
        self.iopub = self._bind(zmq.XPUB, "iopub_port")

    def _bind(self, kind, port):
        socket = self.context.socket(kind)
        socket.linger = LINGER_MS
        if kind == zmq.ROUTER:
            # A client that reconnects under its old identity takes over at once.
            socket.setsockopt(zmq.ROUTER_HANDOVER, 1)
        else:
            socket.setsockopt(zmq.SNDHWM, IOPUB_HIGH_WATER)
            socket.setsockopt(zmq.XPUB_VERBOSE, 1)
            socket.setsockopt(zmq.XPUB_NODROP, 1)
        where = address(self._connection, port)
        if port in self._listening:
            socket.setsockopt(zmq.USE_FD, self._listening[port])
        socket.bind(where)
        self._bound.append((socket, where))
        return socket

    def accepted(self, fd):
        """Whether an open descriptor is the connection of a client, which ZeroMQ owns."""
        if not stat.S_ISSOCK(os.fstat(fd).st_mode):
            return False
        with socket_module.socket(fileno=os.dup(fd)) as duplicate:
            name = duplicate.getsockname()
        if isinstance(name, tuple):
            return "tcp://%s:%d" % name[:2] in self._addresses()
        return isinstance(name, str) and "ipc://" + name in self._addresses()

    def _addresses(self):
        return {where for _, where in self._bound}

    def close(self):
        """Closes everything, after sending what waits (at most LINGER_MS)."""
        for socket, _ in self._bound:
            socket.close()
        self.context.term()
        for _, where in self._bound:
            if where.startswith("ipc://"):
                # ZeroMQ leaves the file behind.
                with contextlib.suppress(OSError):
                    os.unlink(where[len("ipc://") :])
