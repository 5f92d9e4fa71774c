"""SIGINT: when it may stop user code, and when it has to wait or is ignored.

Python runs signal handlers between any two bytecodes of the main thread. A KeyboardInterrupt in the middle of sending
a multipart message would corrupt the stream, so the kernel's own code defers it, and between cells it is ignored.
A cell begins for its clients when they hear that the kernel is busy; an interrupt after that is kept for the cell.
"""

import signal
import threading


class Interrupts:
    """Use as a context manager around code that must not be torn apart; nests."""

    def __init__(self):
        self._main = threading.get_ident()
        self._depth = 0
        self._pending = False
        self._allowed = False
        self._expected = False
        self._early = False
        # Asked first: an async cell that waits in its event loop is interrupted there. True when it was.
        self.redirect = None

    def install(self):
        signal.signal(signal.SIGINT, self._on_signal)

    def allowed(self):
        """Within this context SIGINT raises KeyboardInterrupt."""
        return _Allowed(self)

    def expect(self):
        """From here on an interrupt is meant for the cell that is about to run, and is kept for it."""
        self._early = False
        self._expected = True

    def disallow(self):
        """Back to ignoring interrupts, as between cells, also when one struck while ``allowed`` was entered or left."""
        self._allowed = False
        self._expected = False
        self._early = False

    def raise_pending(self):
        """A safe point inside deferred code, for example while waiting for a slow client."""
        if self._pending and self._allowed and threading.get_ident() == self._main:
            self._pending = False
            raise KeyboardInterrupt

    def after_fork_in_child(self):
        self._main = threading.get_ident()
        self._depth = 0
        self._pending = False

    def _on_signal(self, signum, frame):
        if not self._allowed:
            self._early = self._expected
            return
        if self._depth:
            self._pending = True
        elif self.redirect is None or not self.redirect():
            raise KeyboardInterrupt

    def __enter__(self):
        # Other threads never receive signals, and must not count.
        if threading.get_ident() == self._main:
            self._depth += 1

    def __exit__(self, *exception):
        if threading.get_ident() == self._main:
            self._depth -= 1
            if self._pending and self._depth == 0:
                self._pending = False
                if self._allowed:
                    raise KeyboardInterrupt


class _Allowed:
    def __init__(self, interrupts):
        self._interrupts = interrupts

    def __enter__(self):
        # User code may have put its own handler in place; each cell starts with ours.
        self._interrupts.install()
        self._interrupts._pending = False
        self._interrupts._allowed = True
        if self._interrupts._early:
            self._interrupts._early = False
            raise KeyboardInterrupt

    def __exit__(self, *exception):
        self._interrupts._allowed = False
