"""The control channel: requests that are answered while a cell runs. All of this runs in the helper thread."""

import os
import signal

import zmq

from . import info, log, sockets
from .iopub import LATER
from .messages import DELIMITER, Malformed


class Control:
    def __init__(self, socket, kernel):
        self._socket = socket
        self._kernel = kernel
        self._handlers = {
            "kernel_info_request": info.kernel_info,
            "connect_request": lambda request: info.connect_info(kernel.connection),
            "interrupt_request": self._interrupt,
            "shutdown_request": self._shut_down,
            "debug_request": self._refuse_debugging,
            "husk_execution_request": lambda request: kernel.journal.look_up(request.content.get("msg_id")),
            "husk_state_request": self._state,
        }

    def serve(self):
        """Answers everything that waits."""
        while sockets.has_message(self._socket):
            frames = self._socket.recv_multipart(zmq.NOBLOCK)
            try:
                self._answer(self._kernel.session.read(frames))
            except Malformed as error:
                log.write("dropped a message on control: %s" % error)
            except Exception:
                log.failure("answering a control request")

    def _answer(self, request):
        # Never wait for a slow client here: an interrupt must get through.
        self._kernel.iopub.status("busy", request, LATER)
        try:
            handler = self._handlers.get(request.msg_type)
            if handler is None:
                log.write("ignored %r on control" % request.msg_type)
                return
            kind = request.msg_type.replace("_request", "_reply")
            reply = self._kernel.session.frames(kind, handler(request), request)
            sockets.send(self._socket, request.idents + [DELIMITER] + reply)
        finally:
            self._kernel.iopub.status("idle", request, LATER)
        if request.msg_type == "shutdown_request":
            self._kernel.stop()

    def _interrupt(self, request):
        if os.getpgrp() == os.getpid():
            # The whole group, so that the commands a cell started are interrupted with it.
            os.killpg(os.getpgrp(), signal.SIGINT)
        else:
            os.kill(os.getpid(), signal.SIGINT)
        return {"status": "ok"}

    def _shut_down(self, request):
        reply = self._kernel.shutdown_reply(request)
        self._kernel.iopub.publish("shutdown_reply", reply, request, when_slow=LATER)
        return reply

    def _refuse_debugging(self, request):
        return {
            "type": "response",
            "request_seq": request.content.get("seq", 0),
            "command": request.content.get("command", ""),
            "success": False,
            "message": "this kernel has no debugger",
            "body": {},
        }

    def _state(self, request):
        current = self._kernel.current
        return {
            "status": "ok",
            "execution_state": "idle" if current is None else "busy",
            "current": current.msg_id if current is not None else None,
            "execution_count": self._kernel.shell.execution_count - 1,
            "pid": self._kernel.pid,
        }
