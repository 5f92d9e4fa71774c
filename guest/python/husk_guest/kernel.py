"""The kernel: puts its parts together, and serves the shell channel until it is told to stop.

Threads. The main thread runs cells and owns the shell and stdin sockets. The helper thread (``helper``) owns control
and heartbeat. Both publish on iopub, which has a lock. Nothing else touches ZeroMQ.
"""

import atexit
import contextlib
import os
import signal
import sys
import threading
from collections import deque

import zmq

from . import copying, info, log, looking, openfiles, sockets, streams
from .capture import Capture
from .comms import Comms
from .control import Control
from .execute import Executor, error_reply
from .helper import Helper
from .interrupts import Interrupts
from .introspect import Introspection
from .iopub import IoPub
from .journal import Journal
from .lastwords import NoLastWords
from .loops import Loops
from .messages import DELIMITER, Malformed, Session
from .outlet import Outlet
from .stdin import Stdin
from .wakeup import Wakeup

# How long a cell, or exit handlers, may delay a shutdown.
SHUTDOWN_GRACE_SECONDS = 5.0


class Kernel:
    def __init__(self, shell, connection, last_words=None, listening=None):
        self.pid = os.getpid()
        self.shell = shell
        self.connection = connection
        self.current = None  # the shell request being answered
        self._stopping = False
        self._own = set()  # descriptors
        self._users = set()  # descriptors that user code had before this kernel was
        self._waiting = deque()  # (frames, whether to abort them) read ahead of their turn
        self._main = threading.get_ident()
        self._make_channels(connection, last_words or NoLastWords(), listening)
        self._make_parts()

    def _make_channels(self, connection, last_words, listening):
        self.session = Session(connection.get("key", "").encode(), connection.get("signature_scheme", "hmac-sha256"))
        self.interrupts = Interrupts()
        self.journal = Journal(last_words)
        self.sockets = sockets.Sockets(connection, listening)
        self.iopub = IoPub(self.sockets.iopub, self.session, self.interrupts, self.journal)
        self._nudge = Wakeup()
        self._poller = zmq.Poller()
        self._poller.register(self.sockets.shell, zmq.POLLIN)
        self._poller.register(self._nudge.fd, zmq.POLLIN)

    def _make_parts(self):
        wakeup, capture = Wakeup(), Capture()
        self.outlet = Outlet(self.iopub, capture, self.interrupts, wakeup.set)
        self.loops = Loops()
        self.stdin = Stdin(self.sockets.stdin, self)
        self.comms = Comms(self)
        self.comm_manager = self.comms.manager
        self.executor = Executor(self)
        control = Control(self.sockets.control, self)
        self.helper = Helper(
            control, self.sockets.heartbeat, self.sockets.control, self.iopub, self.outlet, wakeup, capture.readers
        )
        introspection = Introspection(self.shell)
        self._handlers = {
            "kernel_info_request": info.kernel_info,
            "connect_request": lambda request: info.connect_info(self.connection),
            "complete_request": introspection.complete,
            "inspect_request": introspection.inspect,
            "is_complete_request": introspection.is_complete,
            "history_request": introspection.history,
            "comm_info_request": self.comms.info,
            "comm_open": self.comms.open,
            "comm_msg": self.comms.message,
            "comm_close": self.comms.close,
            "shutdown_request": self._shut_down,
        }

    def start(self):
        """Takes over this process's output, input and signals. From here on clients are answered."""
        streams.install(self.outlet)
        self.stdin.install()
        self.comms.install()
        self.interrupts.redirect = self.loops.interrupt_waiting_cell
        self.interrupts.install()
        self.shell.move_in(self)
        _detach_when_forked(self)
        self.helper.start()

    def claim_descriptors(self, report_fd):
        """All that are open now are the kernel's own, but for the report, which is about to close, and clients' connections:
        when those close, their numbers may become those of the user's files.
        """
        for fd in openfiles.numbers() - self._users - {report_fd}:
            with contextlib.suppress(OSError):
                if not self.sockets.accepted(fd):
                    self._own.add(fd)

    def succeed(self, former):
        """Takes over from the kernel that this process is a copy of what clients know of it."""
        self._users = {descriptor.fd for descriptor in former.opened}
        self.comms.succeed(former.comms)
        self.comm_manager = self.comms.manager

    def run(self):
        """Serves until told to stop, then ends the process."""
        while True:
            item = self._next_request()
            if item is None:
                break
            self._serve(*item)
        self._end_process()

    def stop(self):
        """Ends the kernel after the request being answered, which is interrupted. Any thread may call it."""
        self._stopping = True
        self._nudge.set()
        self.helper.exit_within(SHUTDOWN_GRACE_SECONDS)
        if threading.get_ident() != self._main:
            signal.pthread_kill(self._main, signal.SIGINT)

    def publish_output(self, msg_type, content):
        """Publishes for the running cell, after everything it printed before."""
        if os.getpid() != self.pid:
            text = content.get("data", {}).get("text/plain")
            if isinstance(text, str):
                sys.stdout.write(text + "\n")
            return
        self.outlet.sync()
        self.iopub.publish(msg_type, content, self.outlet.parent)

    def publish_comm(self, msg_type, content, metadata, buffers, topic):
        self.outlet.flush()
        self.iopub.publish(msg_type, content, self.outlet.parent, metadata, buffers, topic)

    def get_parent(self):
        """The request being executed, as ipywidgets asks for it."""
        parent = self.outlet.parent
        return parent.as_dict() if parent is not None else {}

    def shutdown_reply(self, request):
        return {"status": "ok", "restart": bool(request.content.get("restart", False))}

    def opened_by_user(self):
        """The descriptors that user code has open."""
        numbers = openfiles.numbers()
        self.highest = max(numbers)
        self.opened = [one for one in openfiles.survey(numbers - self._own) if not self._is_clients(one)]
        return self.opened

    def _is_clients(self, descriptor):
        try:
            return self.sockets.accepted(descriptor.fd)
        except OSError:
            return True  # it was, and has gone meanwhile

    # --- the shell channel

    def _next_request(self):
        while not self._stopping:
            if self._waiting:
                return self._waiting.popleft()
            if sockets.has_message(self.sockets.shell):
                return self.sockets.shell.recv_multipart(zmq.NOBLOCK), False
            self._wait()
        return None

    def _wait(self):
        if not self.loops.has_background_work():
            self._poller.poll()
            return
        try:
            self.loops.run_until_readable([self.sockets.shell.getsockopt(zmq.FD), self._nudge.fd])
        except BaseException:
            log.failure("in a background task")

    def _serve(self, frames, abort):
        try:
            request = self.session.read(frames)
        except Malformed as error:
            log.write("dropped a message on shell: %s" % error)
            return
        self.current = request
        if request.msg_type == "execute_request":
            self.interrupts.expect()
        self.iopub.status("busy", request)
        try:
            self._answer(request, abort)
        except Exception:
            log.failure("answering %r" % request.msg_type)
        finally:
            self.interrupts.disallow()
            self.current = None
            self.iopub.status("idle", request)

    def _answer(self, request, abort):
        if request.msg_type == "execute_request":
            self._answer_execute(request, abort)
            return
        if request.msg_type == "husk_park_request":
            self._reply(request, copying.park(self, request.content))
            return
        if request.msg_type == "husk_look_request":
            self._reply(request, looking.answer(self, request.content))
            return
        handler = self._handlers.get(request.msg_type)
        if handler is None:
            log.write("ignored %r on shell" % request.msg_type)
            return
        reply = self._call(handler, request)
        if reply is not None:
            self._reply(request, reply)

    def _answer_execute(self, request, abort):
        if self.journal.has_seen(request):
            self._reply(request, *self.executor.repeat(request))
            return
        reply, metadata = self.executor.abort(request) if abort else self.executor.execute(request)
        content = request.content
        if reply["status"] == "error" and content.get("stop_on_error", True) and not content.get("silent"):
            self._abort_waiting()
        self._reply(request, reply, metadata)
        if getattr(self.shell, "exit_now", False):
            self.stop()

    def _call(self, handler, request):
        """Runs a handler that may run user code (completers, comm callbacks), and survives what it raises."""
        is_comm = request.msg_type.startswith("comm_") and request.msg_type != "comm_info_request"
        cell = self.outlet.parent
        if is_comm:
            self.outlet.change_parent(request)
        try:
            with self.interrupts.allowed():
                return handler(request)
        except BaseException as error:
            self.interrupts.disallow()
            log.failure("answering %r" % request.msg_type)
            return None if is_comm else error_reply(error)
        finally:
            if is_comm:
                self.outlet.change_parent(cell)

    def _reply(self, request, content, metadata=None):
        kind = request.msg_type.replace("_request", "_reply")
        frames = self.session.frames(kind, content, request, metadata)
        sockets.send(self.sockets.shell, request.idents + [DELIMITER] + frames)

    def _abort_waiting(self):
        """After an error, executions that are already waiting are not run."""
        while sockets.has_message(self.sockets.shell):
            self._waiting.append((self.sockets.shell.recv_multipart(zmq.NOBLOCK), True))

    def _shut_down(self, request):
        reply = self.shutdown_reply(request)
        self.iopub.publish("shutdown_reply", reply, request)
        self.stop()
        return reply

    # --- the end, and forks

    def _end_process(self):
        try:
            atexit._run_exitfuncs()
        except BaseException:
            log.failure("in an exit handler")
        self.outlet.sync(final=True)
        self.helper.stop()
        self.sockets.close()
        # Not sys.exit: tearing the interpreter down would copy every page shared with the warm parent.
        os._exit(0)

    def after_fork_in_child(self):
        """In a child that user code forked: no lock of the parent may be waited for, no socket touched."""
        for part in (self.interrupts, self.journal, self.iopub, self.outlet):
            part.after_fork_in_child()


_forking = []  # the kernel of this process


def _detach_when_forked(kernel):
    if not _forking:
        os.register_at_fork(after_in_child=lambda: _forking[0].after_fork_in_child())
    _forking[:] = [kernel]
