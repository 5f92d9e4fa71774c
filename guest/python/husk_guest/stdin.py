"""input() and getpass() of user code, answered by the client that asked for the execution."""

import builtins
import getpass
import os
import threading

import zmq
from IPython.core.error import StdinNotImplementedError

from . import log, sockets
from .messages import DELIMITER, Malformed

_LOOK_UP_MS = 100


class Stdin:
    """Owned by the main thread, like the cells that ask."""

    def __init__(self, socket, kernel):
        self._socket = socket
        self._kernel = kernel
        self._main = threading.get_ident()
        self._pid = os.getpid()
        self.asking_client = None  # the request whose client may be asked, while it runs

    def install(self):
        builtins.input = self.input
        getpass.getpass = self.getpass

    def input(self, prompt=""):
        """Asks the client for a line of text."""
        return self._ask(str(prompt), password=False)

    def getpass(self, prompt="Password: ", stream=None, **_):
        """Asks the client for a line of text that it does not show."""
        return self._ask(str(prompt), password=True)

    def _ask(self, prompt, password):
        self._check_possible()
        self._kernel.outlet.sync()
        with self._kernel.interrupts:
            self._drop_stale_replies()
            request = self._kernel.session.frames(
                "input_request", {"prompt": prompt, "password": password}, self.asking_client
            )
            sockets.send(self._socket, self.asking_client.idents + [DELIMITER] + request)
        value = self._await_reply()
        if value == "\x04":  # a terminal client's end of file
            raise EOFError
        return value

    def _check_possible(self):
        if os.getpid() != self._pid:
            raise StdinNotImplementedError("input() was called, but a forked process has no client to ask.")
        if threading.get_ident() != self._main:
            raise StdinNotImplementedError("input() was called, but only the main thread can ask the client.")
        if self.asking_client is None:
            raise StdinNotImplementedError(
                "input() was called, but this execution does not allow input requests (allow_stdin is false)."
            )

    def _await_reply(self):
        while True:
            # Not for ever: a signal that arrives just before the wait is only seen after it.
            self._socket.poll(_LOOK_UP_MS)
            with self._kernel.interrupts:
                reply = self._read()
            if reply is not None:
                return reply

    def _read(self):
        try:
            frames = self._socket.recv_multipart(zmq.NOBLOCK)
        except zmq.Again:
            return None
        try:
            message = self._kernel.session.read(frames)
        except Malformed as error:
            log.write("dropped a message on stdin: %s" % error)
            return None
        value = message.content.get("value")
        return value if message.msg_type == "input_reply" and isinstance(value, str) else None

    def _drop_stale_replies(self):
        while sockets.has_message(self._socket):
            self._socket.recv_multipart(zmq.NOBLOCK)
