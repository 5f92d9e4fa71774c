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


class Packed:
    """The same for a copy, as descriptors in the order in which ``rebirth`` unpacks them.

    A copy stops where it is to be told who it is, and goes on when it has been.
    """

    def __init__(self, request, report_fd):
        connection = read_connection_file(request["connection_file"])
        circumstances = {"connection": connection, "fork": bool(request.get("fork")), "env": request["env"]}
        self._told = json.dumps(circumstances).encode()
        reader, self._teller = os.pipe()
        # Who was taken over may fill it instead of reading it; what is told fits into an empty one.
        os.set_blocking(self._teller, False)
        self._ours = [
            report_fd,
            reader,
            log.open_private(os.path.join(request["directory"], "log")),
            lastwords.open_file(request["directory"]),
            *_listening(connection).values(),
        ]
        self.descriptors = list(self._ours)

    def sent(self):
        """What the copy has now need not stay open here."""
        while self._ours:
            os.close(self._ours.pop())

    def tell(self):
        try:
            os.write(self._teller, self._told)
        except (BrokenPipeError, BlockingIOError):
            pass  # it has ended, and its porter says why; or it does not want to be told
        self.forsake()

    def forsake(self):
        """A copy that was not told ends."""
        os.close(self._teller)


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
