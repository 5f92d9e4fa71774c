"""The kernels a warm parent has borne: those being born, those alive, and how each one ended."""

import json
import os
import selectors
import time
import weakref
from collections import namedtuple
from datetime import datetime, timezone

from . import housing, lines, linux, log, spawn

_LAST_THREADS_SECONDS = 2.0
_KILLED = 9
_KILLED_FIRST = 300


Arriving = namedtuple("Arriving", "request client report_fd deadline")


class Child:
    def __init__(self, request, client, birth):
        self.kernel_id = request["kernel_id"]
        self.op = request["op"]
        self.directory = request["directory"]
        self.request_id = request.get("id")
        self.client = client  # until it has been answered
        self.starter = weakref.ref(client)
        self.housing = request.get("housing")
        self.pid = birth.pid
        self.start_time = linux.start_time(birth.pid)
        self.report_fd = birth.report_fd
        self.line = birth.line  # to its porter, which says how it ended; without one it is our own child
        self.porter = None if birth.line is None else _identity(linux.parent(birth.pid))
        self.end = None if birth.line is None else linux.open_process(birth.pid)  # readable when it has
        self.patience = None  # until when the porter is to have said how


class Nursery:
    def __init__(self, selector, announce, patience):
        self._selector = selector
        self._announce = announce
        self._patience = patience  # seconds for whoever is on the way
        self._children = {}
        self._arriving = {}

    def __len__(self):
        return len(self._children) + len(self._arriving)

    def alive(self):
        """Those that are ready, as hello lists them."""
        return [
            {"kernel_id": child.kernel_id, "pid": child.pid, "start_time": child.start_time}
            for child in self._children.values()
            if child.report_fd is None
        ]

    def has(self, kernel_id):
        arriving = (one.request["kernel_id"] for one in self._arriving.values())
        return kernel_id in arriving or any(child.kernel_id == kernel_id for child in self._children.values())

    def house(self, kernel_id):
        """Where a kernel lives; None for one that lives outside, or is not known."""
        return next((child.housing for child in self._children.values() if child.kernel_id == kernel_id), None)

    def bear(self, request, client, close_parents_files):
        forked = spawn.fork(request, close_parents_files)
        if forked.line is None:
            self._take_in(request, client, spawn.Birth(forked.pid, forked.report_fd, None))
        else:
            self.expect(request, client, forked.report_fd, forked.line)

    # --- on the way

    def expect(self, request, client, report_fd, line):
        """A child that is on its way to where it is to live, and says on the line when it is there.

        It may have to pass what user code has taken over, so nobody waits for it, and it is looked at when it is there.
        """
        self._arriving[line] = Arriving(request, client, report_fd, time.monotonic() + self._patience)
        self._selector.register(line, selectors.EVENT_READ, lambda events: self._hear_arrival(line))

    def _hear_arrival(self, line):
        if line in self._arriving:
            self._arrived(line, lines.hear(line))

    def hear_arrivals(self):
        """Before anybody is buried: one that has arrived and ended is to be known."""
        for line in lines.readable(list(self._arriving), 0):
            self._hear_arrival(line)

    def patience(self):
        """Seconds until somebody is late; None if nobody is awaited."""
        awaited = [one.deadline for one in self._arriving.values()]
        awaited += [child.patience for child in self._children.values() if child.patience is not None]
        return min(awaited) - time.monotonic() if awaited else None

    def give_up_late(self):
        now = time.monotonic()
        for line in [line for line, one in self._arriving.items() if one.deadline <= now]:
            self._arrived(line, None)
        for child in [c for c in self._children.values() if c.patience is not None and c.patience <= now]:
            self._end_silent(child)

    def _arrived(self, line, said):
        one = self._arriving.pop(line)
        self._selector.unregister(line)
        if said is None or said.word != lines.BORN:
            line.close()
            self._refuse(one, _reason(said))
        elif not spawn.settles(one.request):
            line.close()
            self._welcome(one, spawn.Birth(said.pid, one.report_fd, None))
        elif "housing" not in one.request or housing.is_settled(said.pid, one.request["housing"]):
            self._welcome(one, spawn.Birth(said.pid, one.report_fd, line))
        else:
            housing.end(said.pid, one.request["housing"])
            line.close()
            os.close(one.report_fd)  # what it says of itself is not to be believed
            one.client.refuse(one.request.get("id"), "spawn_failed", "it did not become what it was to be, and was ended")

    def _welcome(self, one, birth):
        try:
            self._take_in(one.request, one.client, birth)
        except (FileNotFoundError, ProcessLookupError):
            if birth.line is not None:
                birth.line.close()
            self._refuse(one, _reason(None))

    def _refuse(self, one, reason):
        """What it said of itself is better than what we know."""
        try:
            reason = spawn.read_report(one.report_fd, one.request["op"], reason) or reason
        except ValueError:
            pass
        os.close(one.report_fd)
        one.client.refuse(one.request.get("id"), "spawn_failed", reason)

    # --- there

    def _take_in(self, request, client, birth):
        """A child that was born, here or by a porter, and is about to say whether it is ready."""
        child = Child(request, client, birth)
        self._children[child.pid] = child
        if birth.line is not None:
            # Before its own snapshots, from which it can come back.
            linux.rate_for_killing(child.pid, _KILLED_FIRST)
        self._selector.register(birth.report_fd, selectors.EVENT_READ, lambda events: self._settle(child))
        if birth.line is not None:
            self._selector.register(birth.line, selectors.EVENT_READ, lambda events: self._hear_end(child))
        if child.end is not None:
            self._selector.register(child.end, selectors.EVENT_READ, lambda events: self._see_end(child))

    def reap(self):
        """Buries every child that has ended, and the orphans of kernels that ended before."""
        self.hear_arrivals()
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

    def end_forsaken(self, kernel_id, clients):
        """Ends one that was started for somebody who is gone, and may never have learnt that it was.

        Its starter was killed before it could write down that there is a kernel; somebody else starts it now.
        """
        for child in list(self._children.values()):
            if child.kernel_id == kernel_id and child.starter() not in clients:
                linux.kill(child.pid, child.start_time)
                deadline = time.monotonic() + _LAST_THREADS_SECONDS
                while not linux.has_ended(child.pid) and time.monotonic() < deadline:
                    time.sleep(0.001)
                self._await_end(child)

    def _await_end(self, child):
        deadline = time.monotonic() + _LAST_THREADS_SECONDS
        while child.pid in self._children and linux.has_ended(child.pid) and time.monotonic() < deadline:
            if child.line is None:
                time.sleep(0.001)
                self.reap()
            elif lines.readable([child.line], deadline - time.monotonic()):
                self._hear_end(child)
        if child.pid in self._children and child.line is not None and linux.has_ended(child.pid):
            self._end_silent(child)

    def _see_end(self, child):
        """It has ended, and its porter is about to say how."""
        self._forget_end(child)
        child.patience = time.monotonic() + _LAST_THREADS_SECONDS

    def _end_silent(self, child):
        """A porter that does not say that its kernel has ended is not ours any more."""
        if child.porter[0] not in (0, 1, os.getpid()):
            linux.kill(*child.porter)
        self._ended(child, _KILLED, 0)

    def _forget_end(self, child):
        if child.end is not None:
            self._selector.unregister(child.end)
            os.close(child.end)
            child.end = None

    def _hear_end(self, child):
        said = lines.hear(child.line)
        if said is not None and said.word == lines.ENDED:
            self._ended(child, said.number, said.memory)
        else:
            # The porter is gone, and a kernel does not outlive its porter; or it says what porters do not say.
            self._ended(child, _KILLED, 0)

    def _ended(self, child, status, memory):
        if child.report_fd is not None:
            self._settle(child)
        if child.line is not None:
            linux.kill(child.pid, child.start_time)  # its porter may say what is not so
        self._close_line(child)
        # One that failed to start was answered with its error, and has nothing more to tell.
        if self._children.pop(child.pid, None) is not None:
            self._tell_end(child, status, memory)

    def close_in_forked_child(self):
        for line, one in self._arriving.items():
            line.close()
            os.close(one.report_fd)
        for child in self._children.values():
            if child.report_fd is not None:
                os.close(child.report_fd)
            if child.line is not None:
                child.line.close()
            if child.end is not None:
                os.close(child.end)

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
        self._close_line(child)

    def _close_line(self, child):
        self._forget_end(child)
        child.patience = None
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


def _identity(pid):
    return pid, linux.start_time(pid)


def _reason(said):
    if said is None or said.word != lines.FAILED:
        return "the process ended before it was there, or did not come in time"
    return os.strerror(said.number)


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
