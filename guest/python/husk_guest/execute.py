"""execute_request: runs a cell and says how it went."""

import importlib
import os
import sys
import traceback

from . import jsonsafe
from .shell import error_content


class Executor:
    def __init__(self, kernel):
        self._kernel = kernel
        self._shell = kernel.shell

    def execute(self, request):
        """The content and metadata of the reply; everything the cell printed and showed is published before."""
        content = request.content
        code = content.get("code")
        if not isinstance(code, str):
            return _error_reply(ValueError("an execute_request needs its code as text"), 0), {}
        silent = bool(content.get("silent", False))
        metadata = {"started": jsonsafe.now(), "dependencies_met": True, "engine": self._kernel.session.id}
        self._kernel.outlet.change_parent(request)
        self._kernel.outlet.keep_in(self._kernel.journal.begin(request))
        if not silent:
            shown = {"code": code, "execution_count": self._shell.execution_count}
            self._kernel.iopub.publish("execute_input", shown, request)
        self._kernel.stdin.asking_client = request if content.get("allow_stdin", True) else None
        try:
            reply = self._run(code, silent, request)
        finally:
            self._kernel.stdin.asking_client = None
        self._kernel.outlet.sync(final=True)
        self._kernel.outlet.keep_in(None)
        self._kernel.journal.end(request, reply)
        metadata["status"] = reply["status"]
        return reply, metadata

    def abort(self, request):
        """For an execution that waited behind one that failed."""
        reply = {"status": "aborted"}
        self._kernel.journal.begin(request)
        self._kernel.journal.end(request, reply)
        return reply, {"started": jsonsafe.now(), "status": "aborted", "engine": self._kernel.session.id}

    def repeat(self, request):
        """For an execution that was asked for before: what it said then."""
        earlier = self._kernel.journal.look_up(request.msg_id)
        for message in earlier["messages"]:
            self._kernel.iopub.publish(message["msg_type"], message["content"], request, again=True)
        forgotten = RuntimeError("this was run before, and what it said is no longer kept")
        reply = earlier["reply"] or _error_reply(forgotten, self._shell.execution_count)
        return reply, {"started": earlier["started"], "status": reply["status"], "engine": self._kernel.session.id}

    def _run(self, code, silent, request):
        shell = self._shell
        shell.last_error = None
        shell.failed_to_format = False
        shell.formatting_result = False
        if "loop" in code:
            # So that get_event_loop() in a plain cell is the loop that async cells use.
            self._kernel.loops.current()
        error = self._run_cell(code, silent, request)
        self._leave_if_forked(error)
        if "install" in code:
            importlib.invalidate_caches()
        reply = self._reply(error, request)
        reply["execution_count"] = shell.execution_count - 1
        reply["payload"] = shell.payload_manager.read_payload()
        shell.payload_manager.clear_payload()
        return reply

    def _run_cell(self, code, silent, request):
        """The exception that ended the cell, or None."""
        store_history = bool(request.content.get("store_history", not silent)) and not silent
        cell_id = request.metadata.get("cellId")
        try:
            with self._kernel.interrupts.allowed():
                result = self._shell.run_cell(code, store_history=store_history, silent=silent, cell_id=cell_id)
        except BaseException as error:
            # IPython reports what cells raise; this is an interrupt that struck IPython itself, or before it.
            self._kernel.interrupts.disallow()
            return error
        if result is None:
            return KeyboardInterrupt()
        return result.error_before_exec or result.error_in_exec

    def _reply(self, error, request):
        if error is not None or self._shell.failed_to_format:
            if self._shell.last_error is None:
                # IPython reported it in some other way: clients still get an error message.
                self._publish_error(error)
            return dict(self._shell.last_error, status="error", user_expressions={})
        expressions = request.content.get("user_expressions")
        if not isinstance(expressions, dict) or not expressions:
            return {"status": "ok", "user_expressions": {}}
        try:
            with self._kernel.interrupts.allowed():
                return {"status": "ok", "user_expressions": self._shell.user_expressions(expressions)}
        except BaseException as error:
            self._kernel.interrupts.disallow()
            self._publish_error(error)
            return dict(self._shell.last_error, status="error", user_expressions={})

    def _publish_error(self, error):
        lines = traceback.format_exception(type(error), error, None)
        self._shell.last_error = error_content(type(error), error, lines)
        self._kernel.publish_output("error", self._shell.last_error)

    def _leave_if_forked(self, error):
        """User code called os.fork() and its child came back here: there is only one kernel, and it is the parent."""
        if os.getpid() == self._kernel.pid:
            return
        code = 0 if error is None else 1
        if isinstance(error, SystemExit) and (error.code is None or isinstance(error.code, int)):
            code = error.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code & 0xFF)


def error_reply(error):
    """The content of any reply to a request that could not be answered."""
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return dict(error_content(type(error), error, lines), status="error")


def _error_reply(error, count):
    return dict(error_reply(error), execution_count=count, payload=[], user_expressions={})
