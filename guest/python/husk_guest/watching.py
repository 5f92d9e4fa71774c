"""The processes that a cell starts: what Python says of them as it starts them, and what runs in the end."""

import os
import sys
import weakref

from . import linux

MOST = 200
_MOST_WORDS = 100
_LONGEST = 1000  # characters of a word
_MARKER = "HUSK_KERNEL_ID"

_hooked = False
_watch = None  # while something is watched


class Started:
    def __init__(self, argv, process=None):
        self.argv = argv
        self.process = process  # a weak reference to a Popen, which knows its pid


class Watch:
    def __init__(self):
        self.before = set(_living())
        self.started = []
        self.more = False  # than are listed

    def note(self, argv, process=None):
        if len(self.started) < MOST:
            self.started.append(Started(argv, process))
        else:
            self.more = True


def begin():
    """From here on processes are noted, until ``end``."""
    global _hooked, _watch
    _watch = Watch()
    if not _hooked:
        _hooked = True
        sys.addaudithook(_hear)  # for good: Python has no way back, but then it only looks at ``_watch``


def end():
    """(the processes started since ``begin``, whether there were more)."""
    global _watch
    watch, _watch = _watch, None
    if watch is None:
        return [], False
    running = {pid: _argv(pid) for pid in _living() if pid not in watch.before}
    # Those whose number is known first, so that nobody else is taken for them.
    found = {id(one): _pid(one, running) for one in sorted(watch.started, key=lambda one: one.process is None)}
    told = [{"argv": one.argv, "running": found[id(one)] is not None} for one in watch.started]
    # Started by those, or in a way that nobody hears of.
    told += [{"argv": argv, "running": True} for argv in running.values() if argv]
    return told[:MOST], watch.more or len(told) > MOST


def _hear(event, arguments):
    watch = _watch
    if watch is not None and event in _HEARD:
        try:
            _HEARD[event](watch, *arguments)
        except Exception:
            pass  # what a cell does must not fail because we could not read it


def _popen(watch, executable, args, *_):
    maker = sys._getframe(2).f_locals.get("self")
    watch.note(_words(args), weakref.ref(maker) if maker is not None else None)


def _spawn(watch, path, argv, *_):
    if sys._getframe(2).f_globals.get("__name__") != "subprocess":  # which has told of it already
        watch.note(_words(argv))


_HEARD = {
    "subprocess.Popen": _popen,
    "os.system": lambda watch, command: watch.note(["/bin/sh", "-c"] + _words([command])),
    "os.posix_spawn": _spawn,
    "os.exec": lambda watch, path, args, env: watch.note(_words(args)),
    "os.fork": lambda watch: watch.note([]),
    "os.forkpty": lambda watch: watch.note([]),
}


def _words(argv):
    listed = [argv] if isinstance(argv, (str, bytes)) else list(argv)
    return [os.fsdecode(word)[:_LONGEST] for word in listed[:_MOST_WORDS]]


def _pid(one, running):
    """The process that came of it, if it still runs; nobody else is found to be that one afterwards."""
    maker = one.process() if one.process is not None else None
    if maker is not None:
        pid = maker.pid if maker.pid in running else None
    else:
        pid = next((pid for pid, argv in running.items() if argv == one.argv or not one.argv), None)
    running.pop(pid, None)
    return pid


def _living():
    """Every process that this one brought about, also if it has gone its own way since."""
    parents, marked = {}, []
    marker = ("%s=%s" % (_MARKER, os.environ.get(_MARKER, "?"))).encode()
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                pid = int(entry)
                if not linux.has_ended(pid):
                    parents[pid] = linux.parent(pid)
                    marked += [pid] if marker in _read(pid, "environ").split(b"\0") else []
            except OSError:
                pass  # it has ended meanwhile, or is not ours
    ours = {os.getpid()}
    found = {pid for pid in parents if _descends(pid, parents)} | set(marked)
    return found - ours


def _descends(pid, parents):
    for _ in range(len(parents)):
        pid = parents.get(pid)
        if pid is None:
            return False
        if pid == os.getpid():
            return True
    return False


def _argv(pid):
    try:
        return _words(_read(pid, "cmdline").rstrip(b"\0").split(b"\0"))
    except OSError:
        return []


def _read(pid, what):
    with open("/proc/%d/%s" % (pid, what), "rb") as file:
        return file.read(1 << 16)
