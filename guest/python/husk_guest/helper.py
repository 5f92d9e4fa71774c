"""The helper thread "husk-io": control, heartbeat, subscriptions and output, while the main thread runs a cell."""

import os
import signal
import threading
import time

import zmq

from . import log
from .iopub import TRY

FLUSH_SECONDS = 0.025  # how long output may gather before it is sent
_TICK_SECONDS = 1.0


class Helper:
    """Can be stopped and started again, since threads do not survive a fork."""

    def __init__(self, control, heartbeat_socket, control_socket, iopub, outlet, wakeup, captured):
        self._control = control
        self._heartbeat = heartbeat_socket
        self._control_socket = control_socket
        self._iopub = iopub
        self._outlet = outlet
        self._wakeup = wakeup
        self._captured = captured
        self._thread = None
        self._stopping = False
        self._flush_at = None
        self._exit_at = None
        self.watch_parent = False

    def start(self):
        self._stopping = False
        self._parent = os.getppid()
        self._thread = threading.Thread(target=self._run, name="husk-io", daemon=True)
        self._thread.start()

    @property
    def thread(self):
        return self._thread

    def stop(self):
        self._stopping = True
        self._wakeup.set()
        self._thread.join()
        self._thread = None

    def exit_within(self, seconds):
        """Ends the process if the main thread does not do so itself in this time."""
        self._exit_at = time.monotonic() + seconds
        self._wakeup.set()

    def _run(self):
        # Signals are for the main thread and whatever it waits in.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGCHLD})
        every = zmq.Poller()
        without_captured = zmq.Poller()
        for poller in (every, without_captured):
            for source in (self._control_socket, self._heartbeat, self._iopub.fd, self._wakeup.fd):
                poller.register(source, zmq.POLLIN)
        for fd in self._captured:
            every.register(fd, zmq.POLLIN)
        while not self._stopping:
            try:
                # While clients cannot take more, what subprocesses write stays in their pipe and slows them down.
                poller = without_captured if self._outlet.full else every
                self._step({source for source, _ in poller.poll(self._timeout_ms())})
            except Exception:
                log.failure("in the helper thread")
                time.sleep(0.1)  # an error that repeats must not take a whole core

    def _step(self, ready):
        if self._wakeup.fd in ready:
            self._wakeup.clear()
        if self._control_socket in ready:
            self._control.serve()
        if self._heartbeat in ready:
            self._heartbeat.send_multipart(self._heartbeat.recv_multipart())
        if self._iopub.fd in ready:
            self._iopub.service()
        if any(fd in ready for fd in self._captured):
            self._outlet.collect()
        self._flush_when_due()
        self._end_process_when_due()

    def _flush_when_due(self):
        if not self._outlet.pending and not self._iopub.pending:
            self._flush_at = None
            return
        now = time.monotonic()
        if self._flush_at is None:
            self._flush_at = now + FLUSH_SECONDS
        if now >= self._flush_at or self._outlet.full:
            self._iopub.service()
            self._outlet.flush(TRY)
            self._flush_at = now + FLUSH_SECONDS

    def _timeout_ms(self):
        if self._flush_at is not None:
            return max(0, (self._flush_at - time.monotonic()) * 1000) + 1
        if self._exit_at is not None or self.watch_parent:
            return _TICK_SECONDS * 1000
        return None

    def _end_process_when_due(self):
        if self._exit_at is not None and time.monotonic() >= self._exit_at:
            log.write("the main thread did not end in time")
            os._exit(0)
        if self.watch_parent and os.getppid() != self._parent:
            log.write("the parent process is gone")
            os._exit(1)
