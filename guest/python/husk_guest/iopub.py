"""The iopub channel: everything a kernel tells all its clients.

The XPUB socket is shared: the main thread sends on it directly, because a hop through another thread would cost more
than the rest of a small execution; the helper thread flushes output and greets subscribers. A lock guards it, and it is
never polled through ZeroMQ: whoever used it reads the waiting subscriptions before letting go, so that the helper,
which watches the socket's descriptor, misses none.
"""

import threading
import time
from collections import deque

import zmq

from . import sockets
from .messages import DELIMITER

# What to do when a client reads too slowly.
PATIENT = "wait for it, and in the end skip it"
TRY = "give up at once"
LATER = "keep the message, and send it when there is room"

_RETRY_SECONDS = 0.002


class IoPub:
    def __init__(self, socket, session, interrupts, journal):
        self.patience = 60.0  # seconds without any progress
        self._socket = socket
        self._session = session
        self._interrupts = interrupts
        self._journal = journal
        self._lock = threading.RLock()
        self._sending = False
        self._outbox = deque()  # frames to be sent before anything else
        self._blocked_since = None
        self._detached = False
        self.fd = socket.getsockopt(zmq.FD)

    def publish(self, msg_type, content, parent=None, metadata=None, buffers=None, topic=None, when_slow=PATIENT, again=False):
        """Sends to every subscriber. False when TRY was asked for and a client is too slow."""
        if self._detached:
            return True
        frames = [topic or msg_type.encode(), DELIMITER]
        frames += self._session.frames(msg_type, content, parent, metadata)
        written = frames[-1]
        if buffers:
            frames += buffers
        if not self._deliver(frames, when_slow, parent):
            return False
        if not again:
            self._journal.record(parent, msg_type, written)
        return True

    def status(self, state, parent, when_slow=PATIENT):
        self.publish("status", {"execution_state": state}, parent, when_slow=when_slow)

    @property
    def pending(self):
        return bool(self._outbox)

    def service(self):
        """Welcomes new subscribers and sends what was kept; called when the socket's descriptor is readable."""
        with self._interrupts, self._lock:
            if not self._sending:
                self._welcome_subscribers()
                if not self._empty_outbox() and self._out_of_patience():
                    self._skip_slow_clients(None)

    def after_fork_in_child(self):
        """The socket belongs to the parent: a forked child of user code must never touch it."""
        self._lock = threading.RLock()
        self._detached = True

    def _deliver(self, frames, when_slow, parent):
        with self._interrupts:
            while True:
                with self._lock:
                    if self._sending:
                        # A destructor ran inside our own send, in this very thread.
                        self._outbox.append(frames)
                        return True
                    if self._empty_outbox() and self._send(frames):
                        # Someone may have subscribed meanwhile, and nothing else may follow soon.
                        self._empty_outbox()
                        return True
                    if when_slow is LATER or self._out_of_patience():
                        self._outbox.append(frames)
                        if self._out_of_patience():
                            self._skip_slow_clients(parent)
                        return True
                if when_slow is TRY:
                    return False
                time.sleep(_RETRY_SECONDS)
                self._interrupts.raise_pending()

    def _empty_outbox(self):
        while self._outbox:
            if not self._send(self._outbox[0]):
                return False
            self._outbox.popleft()
        return True

    def _send(self, frames):
        """Sends to all subscribers, or to none of them when one has no room."""
        self._sending = True
        try:
            sockets.send(self._socket, frames)
            self._blocked_since = None
            return True
        except zmq.Again:
            if self._blocked_since is None:
                self._blocked_since = time.monotonic()
            return False
        finally:
            self._sending = False
            self._welcome_subscribers()

    def _out_of_patience(self):
        return self._blocked_since is not None and time.monotonic() - self._blocked_since >= self.patience

    def _skip_slow_clients(self, parent):
        """From here on ZeroMQ leaves out the clients that have no room, until they have read what they have."""
        text = "husk: a client has not read for %g s; it misses output until it catches up\n" % self.patience
        notice = self._session.frames("stream", {"name": "stderr", "text": text}, parent)
        self._outbox.append([b"stream.stderr", DELIMITER] + notice)
        self._socket.setsockopt(zmq.XPUB_NODROP, 0)
        try:
            self._empty_outbox()
        finally:
            self._socket.setsockopt(zmq.XPUB_NODROP, 1)

    def _welcome_subscribers(self):
        while sockets.has_message(self._socket):
            request = self._socket.recv(zmq.NOBLOCK)
            if request[:1] == b"\x01":
                topic = request[1:]
                content = {"subscription": topic.decode("utf-8", "replace")}
                self._outbox.append([topic, DELIMITER] + self._session.frames("iopub_welcome", content))
