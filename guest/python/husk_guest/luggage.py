"""What a kernel takes from outside before it moves into a sandbox, where those paths do not exist."""

import os
import socket

from . import log
from .lastwords import LastWords
from .sockets import PORTS, address, read_connection_file

_BACKLOG = 100


class Luggage:
    def __init__(self, request, with_sockets):
        # A folder of its own, seen from outside; inside only what is open remains.
        self.log_fd = log.open_file(os.path.join(request["directory"], "log"))
        self.connection = read_connection_file(request["connection_file"])
        self.last_words = LastWords(request["directory"])
        self.listening = {port: _listen(address(self.connection, port)) for port in PORTS} if with_sockets else {}


def _listen(where):
    """A listening socket where ZeroMQ would have made one."""
    path = where[len("ipc://") :]
    if os.path.exists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(_BACKLOG)
    return listener.detach()
