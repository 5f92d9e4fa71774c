"""What a kernel takes from outside before it moves into a sandbox, where those paths do not exist."""

import json
import os
import socket

from . import lastwords, log
from .sockets import PORTS, address, read_connection_file

_BACKLOG = 100


class Luggage:
    def __init__(self, request, with_sockets):
        # A folder of its own, seen from outside; inside only what is open remains.
        self.log_fd = log.open_file(os.path.join(request["directory"], "log"))
        self.connection = read_connection_file(request["connection_file"])
        self.last_words = lastwords.LastWords(lastwords.open_file(request["directory"]))
        self.listening = _listening(self.connection) if with_sockets else {}


def for_a_copy(request, report_fd):
    """The same as descriptors, in the order in which ``rebirth`` unpacks them; and those of them to close here."""
    connection = read_connection_file(request["connection_file"])
    told = os.memfd_create("husk-copy", os.MFD_CLOEXEC)
    circumstances = {"connection": connection, "fork": bool(request.get("fork")), "env": request["env"]}
    os.write(told, json.dumps(circumstances).encode())
    packed = [told, log.open_private(os.path.join(request["directory"], "log")), lastwords.open_file(request["directory"])]
    packed += _listening(connection).values()
    return [report_fd] + packed, packed


def _listening(connection):
    """By port. What is on TCP a kernel can bind wherever it lives."""
    if connection.get("transport") != "ipc":
        return {}
    return {port: _listen(address(connection, port)) for port in PORTS}


def _listen(where):
    """A listening socket where ZeroMQ would have made one."""
    path = where[len("ipc://") :]
    if os.path.exists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(_BACKLOG)
    return listener.detach()
