"""The kernels a warm parent has borne: those being born, those alive, and how each one ended."""

import json
import os
import select
import selectors
import time
from datetime import datetime, timezone

from . import lines, linux, log, spawn

_LAST_THREADS_SECONDS = 2.0
_KILLED = 9
_KILLED_FIRST = 300


class Child:
    def __init__(self, request, client, birth):
        self.kernel_id = request["kernel_id"]
        self.op = request["op"]
        self.directory = request["directory"]
        self.request_id = request.get("id")
        self.client = client
        self.pid = birth.pid
        self.report_fd = birth.report_fd
        self.line = birth.line  # to its porter, which sees its end; without one it is our own child
        self.start_time = linux.start_time(birth.pid)


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
        self.take_in(request, client, spawn.fork(request, close_parents_files))

    def take_in(self, request, client, birth):
        """A child that was born, here or by a porter, and is about to say whether it is ready."""
        child = Child(request, client, birth)
        self._children[child.pid] = child
        if birth.line is not None:
            # Before its own snapshots, from which it can come back.
            linux.rate_for_killing(child.pid, _KILLED_FIRST)
        self._selector.register(birth.report_fd, selectors.EVENT_READ, lambda events: self._settle(child))
        if birth.line is not None:
            self._selector.register(birth.line, selectors.EVENT_READ, lambda events: self._hear_end(child))

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
            if child is not None and child.line is None:
                self._ended(child, status, usage.ru_maxrss)

    def bury(self, kernel_id):
        """The same; one that has ended is waited for while its last threads are still ending."""
        self.reap()
        for child in list(self._children.values()):
            if child.kernel_id == kernel_id:
                self._await_end(child)

    def _await_end(self, child):
        deadline = time.monotonic() + _LAST_THREADS_SECONDS
        while child.pid in self._children and linux.has_ended(child.pid) and time.monotonic() < deadline:
            if child.line is None:
                time.sleep(0.001)
                self.reap()
            elif select.select([child.line], [], [], deadline - time.monotonic())[0]:
                self._hear_end(child)

    def _hear_end(self, child):
        said = lines.hear(child.line)
        if said is not None and said.word == lines.ENDED:
            self._ended(child, said.number, said.memory)
        elif said is None:
            self._ended(child, _KILLED, 0)  # the porter is gone, and a kernel does not outlive its porter

    def _ended(self, child, status, memory):
        if child.report_fd is not None:
            self._settle(child)
        if child.line is not None:
            self._selector.unregister(child.line)
            child.line.close()
            child.line = None
        # One that failed to start was answered with its error, and has nothing more to tell.
        if self._children.pop(child.pid, None) is not None:
            self._tell_end(child, status, memory)

    def close_in_forked_child(self):
        for child in self._children.values():
            if child.report_fd is not None:
                os.close(child.report_fd)
            if child.line is not None:
                child.line.close()

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
            self._forget(child)
        child.client = None

    def _forget(self, child):
        self._children.pop(child.pid, None)
        if child.line is not None:
            self._selector.unregister(child.line)
            child.line.close()
            child.line = None

    def _tell_end(self, child, status, memory):
        signalled = os.WIFSIGNALED(status)
        end = {
            "pid": child.pid,
            "exit_code": None if signalled else os.WEXITSTATUS(status),
            "signal": os.WTERMSIG(status) if signalled else None,
            "core": signalled and os.WCOREDUMP(status),
            "max_rss_kb": memory,
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
