"""Forks children of the warm parent: Husk's own kernels, and processes that run somebody else's program."""

import json
import os
import signal
from collections import namedtuple

from . import birth, copying, housing, lines, log, porter, rebirth
from .luggage import Luggage

_FIELDS = {
    "spawn": ("kernel_id", "connection_file", "directory", "cwd"),
    "exec": ("kernel_id", "directory", "cwd"),
}


_REPORT_MOST = 65536

Birth = namedtuple("Birth", "pid report_fd line")  # the line is there for who has a porter
Forked = namedtuple("Forked", "pid report_fd line")  # the line will tell who was born; without one it is this process


class BadRequest(ValueError):
    """A request that lacks something or says it in the wrong form."""


class Newborn(Exception):
    """Raised in the forked child, to leave the warm parent's loop and become a kernel."""

    def __init__(self, request, report_fd, luggage):
        super().__init__(request["kernel_id"])
        self.request = request
        self.report_fd = report_fd
        self.luggage = luggage


def check(request):
    for field in _FIELDS[request["op"]]:
        if not isinstance(request.get(field), str) or not request[field]:
            raise BadRequest("%r must be text" % field)
    env = request.setdefault("env", {})
    if not isinstance(env, dict) or not all(isinstance(value, str) for value in env.values()):
        raise BadRequest("'env' must map names to text")
    if "housing" in request:
        _check_housing(request["housing"])
    argv = request.get("argv")
    if request["op"] == "exec":
        if not isinstance(argv, list) or not argv or not all(isinstance(item, str) for item in argv):
            raise BadRequest("'argv' must be a list of text")


def _check_housing(place):
    if not isinstance(place, dict) or not all(isinstance(place.get(name), int) for name in ("pid", "uid", "gid")):
        raise BadRequest("'housing' must have the numbers 'pid', 'uid' and 'gid'")
    if not isinstance(place.get("seccomp"), str):
        raise BadRequest("'housing' must name the file of the filter as 'seccomp'")
    if porter.available() and not isinstance(place.get("family"), int):
        raise BadRequest("'housing' must have the number 'family'")
    if porter.available() and not isinstance(place.get("porter_seccomp"), str):
        raise BadRequest("'housing' must name the file of the porter's filter as 'porter_seccomp'")
    place.setdefault("cgroups", [])
    place.setdefault("rlimits", {})


def fork(request, close_parents_files):
    """Forks; the parent gets what it needs to hear of the child, which never returns."""
    reader, writer = os.pipe()
    line, far_end = lines.pair()
    try:
        pid = os.fork()
    except OSError:
        for fd in (reader, writer):
            os.close(fd)
        line.close()
        far_end.close()
        raise
    if pid:
        os.close(writer)
        far_end.close()
        os.set_blocking(reader, False)
        if not _moves(request):
            line.close()
            line = None
        return Forked(pid, reader, line)
    try:
        os.close(reader)
        line.close()
        close_parents_files()
        request["env"] = _environment(request)
        luggage = _leave_parent(request, writer, far_end)
    except BaseException as error:
        # A child that went back into the parent's loop would be a second parent.
        _report_failure(writer, error)
    raise Newborn(request, writer, luggage)


def _moves(request):
    return "housing" in request or settles(request)


def settles(request):
    """Whether it gets a porter: only Husk's own kernels can be copied, and not those that are not to be."""
    return request["op"] == "spawn" and porter.available() and request.get("live_state", True)


def _leave_parent(request, report_fd, line):
    if request["op"] == "exec":
        _exec(request, report_fd, lambda: lines.tell_birth(line))
    luggage = Luggage(request, _moves(request))
    if settles(request):
        orders = lines.listen(os.path.join(request["directory"], "porter"))
        house = housing.move_beside(request["housing"]) if "housing" in request else porter.no_house()
        porter.settle(house, orders.detach(), line.detach())
    elif "housing" in request:
        housing.move_in(request["housing"], lambda: lines.tell_birth(line))
        line.close()
    return luggage


def _environment(request):
    """The child's variables. They may be secret, so the parent, whose memory all later children share, never reads them."""
    if "env_file" not in request:
        return request["env"]
    with open(request["env_file"], encoding="utf-8") as file:
        env = json.load(file)
    os.unlink(request["env_file"])
    return env


def live(shell, newborn):
    """The rest of a kernel's life, in the child."""
    request = newborn.request
    try:
        kernel = birth.become_kernel(shell, newborn.luggage, request["cwd"], request["env"])
        kernel.claim_descriptors(newborn.report_fd)
    except BaseException as error:
        log.failure("a kernel could not start")
        _report_failure(newborn.report_fd, error)
    os.write(newborn.report_fd, b'{"ok": true}')
    os.close(newborn.report_fd)
    newborn.luggage = newborn = None  # the kernel alone keeps what of it is still needed
    while True:
        try:
            kernel.run()
        except copying.Copied as copied:
            copy = copied
        except BaseException:
            log.failure("the kernel failed")
            os._exit(1)
        kernel = rebirth.become_copy(shell, copy)


def _exec(request, report_fd, tell_pid):
    """Replaces the child by a program. The report pipe closes by itself when that succeeds."""
    try:
        log_fd = log.open_file(os.path.join(request["directory"], "log"))
        if "housing" in request:
            housing.move_in(request["housing"], tell_pid)
        os.setsid()
        birth.restore_signals()
        for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        birth.use_log(log_fd)
        birth.enter(request["cwd"])
        os.execvpe(request["argv"][0], request["argv"], request["env"])
    except BaseException as error:
        _report_failure(report_fd, error, request["argv"][0])


def _report_failure(report_fd, error, program=None):
    message = str(error) or type(error).__name__
    if program and program not in message and isinstance(error, OSError) and error.strerror:
        message = "%s cannot be run: %s" % (program, error.strerror)
    try:
        os.write(report_fd, json.dumps({"error": message[:3000]}).encode())
    finally:
        os._exit(127)


def read_report(fd, op, silence="the process ended before it was ready"):
    """The error a child reported, or None when it lives. Call at the end of the report, which may be anybody's words."""
    data = b""
    while len(data) < _REPORT_MOST:
        try:
            part = os.read(fd, 4096)
        except BlockingIOError:
            break
        if not part:
            break
        data += part
    if not data:
        return None if op == "exec" else silence
    try:
        report = json.loads(data.decode())
    except RecursionError:
        raise ValueError("a report is not that deep") from None
    error = report.get("error") if isinstance(report, dict) else report
    if not isinstance(error, (str, type(None))) or not isinstance(report, dict):
        raise ValueError("a report is an object, and an error is text")
    return error
