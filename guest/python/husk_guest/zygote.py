"""The warm parent: an interpreter with IPython built and imported, which forks a kernel in milliseconds.

It has one thread and no ZeroMQ context, so that what it forks is whole. It serves JSON lines on a Unix socket (hello,
spawn, exec), reaps every child and says how it ended, and leaves by itself when nobody needs it any more.
"""

import argparse
import os
import platform
import selectors
import signal
import sys
import time

import IPython
import zmq

from . import clients, linux, log, porter, spawn, warmup
from .nursery import Nursery
from .snapshots import Snapshots

_FIRST_CLIENT_SECONDS = 30.0  # whoever started us may be slow to call


def main(arguments):
    options = _parse(arguments)
    _detach(options.log)
    _protect_program(options, arguments)
    if options.porter:
        porter.load(options.porter)
    shell = warmup.build_shell()
    preloaded, errors = warmup.warm(shell, options.preload)
    parent = Zygote(options, preloaded, errors)
    try:
        parent.serve()
    except spawn.Newborn as newborn:
        # Out here the parent's loop is off the stack, and the kernel starts from a clean one.
        child = newborn
    else:
        os._exit(0)
    parent = None
    spawn.live(shell, child)


def _parse(arguments):
    parser = argparse.ArgumentParser(prog="zygote.py")
    parser.add_argument("--socket", required=True)
    parser.add_argument("--log", required=True)
    parser.add_argument("--preload", default="", type=lambda text: [name for name in text.split(",") if name])
    parser.add_argument("--porter", help="the library that lets kernels be copied")
    parser.add_argument("--protected", action="store_true", help="its program was opened so that nobody can write it")
    parser.add_argument("--patience", default=20.0, type=float, help="with kernels on their way into a sandbox")
    parser.add_argument("--linger", default=10.0, type=float)
    return parser.parse_args(arguments)


def _detach(log_path):
    os.closerange(3, 256)  # what whoever started us left open
    fd = log.open_file(log_path)
    os.dup2(fd, 1)
    os.dup2(fd, 2)
    linux.name_process("husk-zygote")
    linux.adopt_orphans()


def _protect_program(options, arguments):
    """Starts anew from a mount that cannot be written to, if the interpreter is a file of this user's.

    Every kernel has it as /proc/self/exe, and in a sandbox it is still the same user.
    """
    program = os.path.realpath("/proc/self/exe")
    agent = os.path.join(os.path.dirname(options.porter or ""), "husk-agent")
    writable = os.access(program, os.W_OK) or os.stat(program).st_uid == os.geteuid()
    if os.geteuid() == 0 or not writable or options.protected or not os.path.exists(agent):
        return
    words = sys.orig_argv[1:] if hasattr(sys, "orig_argv") else ["-B", sys.argv[0], *arguments]
    os.execv(agent, [agent, "program", program, sys.executable, *words, "--protected"])


def _needed_folders():
    """What a kernel must be able to read, wherever it lives: the interpreter, its packages and this code."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    executable = os.path.dirname(os.path.realpath(sys.executable))
    wanted = {sys.prefix, sys.base_prefix, executable, here, *(path for path in sys.path if os.path.isdir(path))}
    folders = sorted(os.path.abspath(path) for path in wanted)
    return [path for path in folders if not any(path.startswith(other + "/") for other in folders)]


class Zygote:
    def __init__(self, options, preloaded, preload_errors):
        self._options = options
        self._preloaded = preloaded
        self._preload_errors = preload_errors
        self._clients = []
        self._ended = False
        self._selector = selectors.DefaultSelector()
        self._nursery = Nursery(self._selector, self._announce, options.patience)
        self._snapshots = Snapshots(self._selector, self._nursery)
        self._watch_signals()
        self._listener = clients.listen(options.socket)
        self._socket_inode = os.stat(options.socket).st_ino
        self._selector.register(self._listener, selectors.EVENT_READ, self._on_connection)
        self._operations = {
            "hello": self._hello,
            "spawn": self._bear,
            "exec": self._bear,
            "snapshot": self._snapshots.take,
            "revive": self._revive,
            "release": self._snapshots.release,
            "drop": self._snapshots.drop,
        }

    def serve(self):
        """Returns when it is time to leave; raises Newborn in each forked kernel."""
        idle_since = time.monotonic()
        linger = max(self._options.linger, _FIRST_CLIENT_SECONDS)
        while not self._ended:
            if self._clients or self._nursery or self._snapshots:
                idle_since = None
                linger = self._options.linger
            elif idle_since is None:
                idle_since = time.monotonic()
            left = None if idle_since is None else idle_since + linger - time.monotonic()
            if left is not None and left <= 0:
                break
            self._call(lambda events: self._nursery.give_up_late(), 0)
            left = self._nursery.patience() if left is None else left
            for key, events in self._selector.select(left):
                # A callback before this one may have closed what this one is about; looked up by its number,
                # because asking for a closed socket is an error, and the number may be somebody else's by now.
                registered = self._selector.get_map().get(key.fd)
                if registered is not None and registered.fileobj is key.fileobj:
                    self._call(key.data, events)
        self._leave()

    def _call(self, callback, events):
        """Whatever goes wrong for one client or kernel must not end the parent of all others."""
        try:
            callback(events)
        except spawn.Newborn:
            raise
        except Exception:
            log.failure("in the warm parent")

    def _watch_signals(self):
        self._signal_reader, self._signal_writer = os.pipe()
        for fd in (self._signal_reader, self._signal_writer):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(self._signal_writer, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.signal(signal.SIGTERM, self._on_term)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        self._selector.register(self._signal_reader, selectors.EVENT_READ, self._on_signal)

    def _on_signal(self, events):
        try:
            os.read(self._signal_reader, 4096)
        except BlockingIOError:
            pass
        self._nursery.reap()

    def _on_term(self, number, frame):
        self._ended = True

    def _on_connection(self, events):
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return
        if not clients.is_same_user(connection):
            log.write("refused a connection from another user")
            connection.close()
            return
        self._clients.append(clients.Client(connection, self._selector, self._on_request, self._on_gone))

    def _on_gone(self, client):
        self._clients.remove(client)
        self._snapshots.forsake(client)

    def _on_request(self, client, request):
        request_id = request.get("id")
        operation = self._operations.get(request.get("op")) if isinstance(request.get("op"), str) else None
        if operation is None:
            client.refuse(request_id, "unknown_op", "unknown op %r" % (request.get("op"),))
            return
        try:
            operation(client, request)
        except spawn.BadRequest as error:
            client.refuse(request_id, "bad_request", str(error))
        except spawn.Newborn:
            raise
        except Exception as error:
            log.failure("answering %r" % request.get("op"))
            client.refuse(request_id, "spawn_failed", "%s: %s" % (type(error).__name__, error))

    def _hello(self, client, request):
        client.answer(
            request.get("id"),
            pid=os.getpid(),
            python=platform.python_version(),
            executable=sys.executable,
            prefix=sys.prefix,
            folders=_needed_folders(),
            ipython=IPython.__version__,
            pyzmq=zmq.__version__,
            preloaded=self._preloaded,
            preload_errors=self._preload_errors,
            kernels=self._nursery.alive(),
            copies=porter.available(),
            snapshots=self._snapshots.listed(),
        )

    def _bear(self, client, request):
        spawn.check(request)
        if self._make_room(client, request):
            self._nursery.bear(request, client, self._close_in_forked_child)

    def _revive(self, client, request):
        if self._make_room(client, request):
            self._snapshots.revive(client, request)

    def _make_room(self, client, request):
        self._nursery.bury(request["kernel_id"])  # whoever restarts a kernel may have seen its end before we did
        self._nursery.end_forsaken(request["kernel_id"], self._clients)
        if self._nursery.has(request["kernel_id"]):
            client.refuse(request.get("id"), "kernel_exists", "kernel %s is alive" % request["kernel_id"])
            return False
        return True

    def _announce(self, event):
        for client in list(self._clients):
            client.send(event)

    def _close_in_forked_child(self):
        """Through the objects that own them, so that none of them later closes a number reused by the kernel."""
        signal.set_wakeup_fd(-1)
        self._selector.close()
        self._listener.close()
        for client in self._clients:
            client.close_in_forked_child()
        self._nursery.close_in_forked_child()
        self._snapshots.close_in_forked_child()
        os.close(self._signal_reader)
        os.close(self._signal_writer)
        os.close(log.descriptor())
        log.use(2)  # still the parent's log, until the kernel has its own

    def _leave(self):
        try:
            # Only our own: a successor may have taken the path over.
            if os.stat(self._options.socket).st_ino == self._socket_inode:
                os.unlink(self._options.socket)
        except FileNotFoundError:
            pass
