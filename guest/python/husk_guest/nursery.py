"""The kernels a warm parent has borne: those being born, those alive, and how each one ended."""

import json
import os
import selectors
import time
from datetime import datetime, timezone

from . import linux, log, spawn

_LAST_THREADS_SECONDS = 2.0


class Child:
    def __init__(self, request, client, pid, report_fd):
        self.kernel_id = request["kernel_id"]
        self.op = request["op"]
        self.directory = request["directory"]
        self.request_id = request.get("id")
        self.client = client
        self.pid = pid
        self.report_fd = report_fd
        self.start_time = linux.start_time(pid)


class Nursery:
    def __init__(self, selector, announce):
        self._selector = selector
        self._announce = announce
        self._children = {}

    def __len__(self):
        return len(self._children)

    def alive(self):
        """Those that are ready, as hello lists them."""
        return [
            {"kernel_id": child.kernel_id, "pid": child.pid, "start_time": child.start_time}
            for child in self._children.values()
            if child.report_fd is None
        ]

    def has(self, kernel_id):
        return any(child.kernel_id == kernel_id for child in self._children.values())

    def bear(self, request, client, close_parents_files):
        pid, report_fd = spawn.fork(request, close_parents_files)
        child = Child(request, client, pid, report_fd)
        self._children[pid] = child
        self._selector.register(report_fd, selectors.EVENT_READ, lambda events: self._settle(child))

    def reap(self):
        """Buries every child that has ended, and the orphans of kernels that ended before."""
        while True:
            try:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            child = self._children.get(pid)
            if child is None:
                continue
            if child.report_fd is not None:
                self._settle(child)
            # One that failed to start was answered with its error, and has nothing more to tell.
            if self._children.pop(pid, None) is not None:
                self._tell_end(child, status, usage)

    def bury(self, kernel_id):
        """The same; one that has ended is waited for while its last threads are still ending."""
        self.reap()
        for child in list(self._children.values()):
            if child.kernel_id == kernel_id:
                self._await_end(child)

    def _await_end(self, child):
        deadline = time.monotonic() + _LAST_THREADS_SECONDS
        while child.pid in self._children and linux.is_zombie(child.pid) and time.monotonic() < deadline:
            time.sleep(0.001)
            self.reap()

    def close_reports_in_forked_child(self):
        for child in self._children.values():
            if child.report_fd is not None:
                os.close(child.report_fd)

    def _settle(self, child):
        """Answers the request that made the child, once the child has said how its start went."""
        try:
            error = spawn.read_report(child.report_fd, child.op)
        except ValueError:
            error = "the process reported something unreadable"
        self._selector.unregister(child.report_fd)
        os.close(child.report_fd)
        child.report_fd = None
        if error is None:
            child.client.answer(child.request_id, pid=child.pid, start_time=child.start_time)
        else:
            child.client.refuse(child.request_id, "spawn_failed", error)
            self._children.pop(child.pid, None)
        child.client = None

    def _tell_end(self, child, status, usage):
        signalled = os.WIFSIGNALED(status)
        end = {
            "pid": child.pid,
            "exit_code": None if signalled else os.WEXITSTATUS(status),
            "signal": os.WTERMSIG(status) if signalled else None,
            "core": signalled and os.WCOREDUMP(status),
            "max_rss_kb": usage.ru_maxrss,
            "ended_at": datetime.now(timezone.utc).isoformat(),
        }
        _write_end(child.directory, end)
        self._announce(dict(end, event="exit", kernel_id=child.kernel_id))


def _write_end(directory, end):
    """Leaves exit.json in the kernel's directory, whole or not at all."""
    path = os.path.join(directory, "exit.json")
    try:
        with open(path + ".tmp", "w", encoding="utf-8") as file:
            json.dump(end, file)
        os.rename(path + ".tmp", path)
    except FileNotFoundError:
        pass  # the kernel's directory is gone already
    except OSError:
        log.failure("writing %s" % path)
