"""Wakes a thread that waits in poll()."""

import os


class Wakeup:
    def __init__(self):
        # A pipe, because os.eventfd came with Python 3.10.
        self.fd, self._writer = os.pipe()
        os.set_blocking(self.fd, False)
        os.set_blocking(self._writer, False)

    def set(self):
        try:
            os.write(self._writer, b"x")
        except BlockingIOError:
            pass  # it is awake already

    def clear(self):
        try:
            os.read(self.fd, 4096)
        except BlockingIOError:
            pass
