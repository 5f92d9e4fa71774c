"""Everything the kernel prints, in order, on its way to iopub.

Text written to sys.stdout and sys.stderr and bytes read from descriptors 1 and 2 meet here in one queue, so that
``print("a"); os.system("echo b"); print("c")`` is seen as a, b, c. The helper thread empties the queue while a cell
runs; the main thread empties it when it grows large, before it publishes anything else, and when a cell ends.
"""

import os
import sys
import threading
from collections import deque

from . import linux
from .iopub import PATIENT, TRY

CHUNK = 64 * 1024  # at most this much text in one message, and in the queue before its writer has to wait
_TOPICS = {"stdout": b"stream.stdout", "stderr": b"stream.stderr"}
_FDS = {"stdout": 1, "stderr": 2}


class Outlet:
    def __init__(self, iopub, capture, interrupts, wake_helper):
        self.parent = None  # the request that output belongs to
        self._iopub = iopub
        self._capture = capture
        self._interrupts = interrupts
        self._wake_helper = wake_helper
        self._pieces = deque()
        self._size = 0
        self._forked = False
        self._partial_lines = {}
        self._words = None  # where text is kept that is not sent yet, while a cell runs that asked for it
        self._in_flight = None
        self._make_locks()

    def _make_locks(self):
        # Re-entrant, because a destructor that prints can run while this thread holds them.
        self._lock = threading.RLock()  # guards the queue; never held while sending
        self._sending = threading.RLock()  # held while sending, so that two threads keep one order
        self._sender = None

    @property
    def pending(self):
        return self._size > 0

    @property
    def full(self):
        return self._size > CHUNK

    def write(self, name, text):
        if self._forked:
            self._write_in_forked_child(name, text)
            return
        with self._interrupts:
            with self._lock:
                if self._capture.has_data():
                    self._collect()
                self._append(name, text)
                full = self.full
            if full:
                self.flush()

    def collect(self):
        """Moves what waits in the captured descriptors into the queue."""
        with self._lock:
            self._collect()

    def flush(self, when_slow=PATIENT):
        """Publishes what is queued now. False when TRY was asked for and it could not be done at once."""
        if self._forked:
            self._flush_forked_child()
            return True
        with self._interrupts:
            if not self._acquire_sending(when_slow):
                return False
            try:
                if self._sender == threading.get_ident():
                    return True  # a destructor flushed inside our own flush
                self._sender = threading.get_ident()
                try:
                    return self._publish_queue(when_slow)
                finally:
                    self._sender = None
            finally:
                self._sending.release()

    def sync(self, final=False):
        """Publishes all output written so far, whichever way it was written."""
        if self._forked:
            self._flush_forked_child()
            return
        with self._interrupts:
            linux.flush_c_stdio()
            _flush_quietly(sys.__stdout__)
            _flush_quietly(sys.__stderr__)
            with self._lock:
                self._collect(final)
            # Nothing may be queued and yet not sent: the helper has taken it, and is about to.
            if self._size or self._sender is not None:
                self.flush()

    def change_parent(self, request):
        """From now on output belongs to this request; what was written before it does not."""
        self.sync(final=True)
        self.parent = request

    def keep_in(self, words):
        """From now on what is not sent yet stands in these last words too; None to leave off."""
        with self._sending, self._lock:
            self._words = words if words is not None and words.unsent is not None else None
            if self._words is not None:
                self._words.unsent.start_over(list(self._pieces))

    def after_fork_in_child(self):
        """User code forked: the child writes to descriptors 1 and 2, which the parent captures."""
        self._make_locks()
        self._pieces.clear()
        self._size = 0
        self._forked = True

    def _append(self, name, text):
        was_empty = not self._size
        self._pieces.append((name, text))
        self._size += len(text)
        if self._words is not None and not self._words.unsent.add(name, text):
            self._words.unsent.start_over(([self._in_flight] if self._in_flight else []) + list(self._pieces))
        if was_empty:
            # Only now: the helper looks at once, and must find something.
            self._wake_helper()

    def _collect(self, final=False):
        for name, text in self._capture.take(final):
            self._append(name, text)

    def _acquire_sending(self, when_slow):
        if when_slow is TRY:
            return self._sending.acquire(blocking=False)
        while not self._sending.acquire(timeout=0.05):
            self._interrupts.raise_pending()
        return True

    def _publish_queue(self, when_slow):
        # Only what is there now: another thread may print faster than we send.
        remaining = self._size
        while remaining > 0:
            name, text = self._take_chunk()
            if not text:
                break
            content = {"name": name, "text": text}
            sent = False
            try:
                sent = self._iopub.publish(
                    "stream", content, self.parent, topic=_TOPICS[name], when_slow=when_slow
                )
            finally:
                self._in_flight = None if sent else self._put_back(name, text)
            if not sent:
                return False
            remaining -= len(text)
        return True

    def _take_chunk(self):
        """The longest run of one stream from the front of the queue, up to CHUNK."""
        with self._lock:
            if not self._pieces:
                return None, ""
            name = self._pieces[0][0]
            texts, size = [], 0
            while self._pieces and self._pieces[0][0] == name and size < CHUNK:
                texts.append(self._pieces.popleft()[1])
                size += len(texts[-1])
            text = "".join(texts)
            limit = CHUNK if text.isascii() else CHUNK // 4
            if len(text) > limit:
                self._pieces.appendleft((name, text[limit:]))
                text = text[:limit]
            self._size -= len(text)
            self._in_flight = (name, text)
            if self._words is not None:
                self._words.unsent.sending(self._words.next, text)
            return name, text

    def _put_back(self, name, text):
        with self._lock:
            self._pieces.appendleft((name, text))
            self._size += len(text)
            self._in_flight = None
            if self._words is not None:
                self._words.unsent.not_sent()

    def _write_in_forked_child(self, name, text):
        # Whole lines at a time, so that the workers of a pool do not tear each other's lines apart.
        text = self._partial_lines.get(name, "") + text
        lines, newline, rest = text.rpartition("\n")
        self._partial_lines[name] = rest
        _write_all(_FDS[name], lines + newline)

    def _flush_forked_child(self):
        for name, text in self._partial_lines.items():
            _write_all(_FDS[name], text)
        self._partial_lines.clear()


def _flush_quietly(stream):
    try:
        stream.flush()
    except (AttributeError, ValueError, OSError):
        pass  # closed or replaced by user code


def _write_all(fd, text):
    data = text.encode("utf-8", "backslashreplace")
    while data:
        data = data[os.write(fd, data) :]
