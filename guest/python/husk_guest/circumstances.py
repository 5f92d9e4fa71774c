"""What of a process is not in its memory, or not in its own: noted before it is copied, and given to each copy."""

import os
import random
import resource
import signal
import tempfile

from . import attendants, databases, hazards, log, mappings, nameless, openfiles, pipes, waiting

_TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF)
_LIMITS = [getattr(resource, name) for name in dir(resource) if name.startswith("RLIMIT_")]


class Circumstances:
    def __init__(self, kernel):
        self.cwd = _directory()
        self.umask = os.umask(0)
        os.umask(self.umask)
        self.niceness = os.nice(0)
        self.processors = os.sched_getaffinity(0)
        self.timers = {which: signal.getitimer(which) for which in _TIMERS}
        self.limits = {which: resource.getrlimit(which) for which in _LIMITS}
        self.random_state = random.getstate()
        self.tracker = attendants.Tracker()
        self._note_bash(kernel)
        self._note_descriptors(kernel)

    def _note_bash(self, kernel):
        """Copies have a like of it, if it says what it knows: then nothing of it is missed."""
        self.bash = getattr(kernel.shell, "_husk_bash", None)
        self.bash_memory = self.bash.remember() if self.bash is not None else None
        self.bash_process, self.bash_thread, self._bash_descriptors = None, None, set()
        if self.bash is not None and (self.bash_memory is not None or not self.bash.runs()):
            self.bash_process, self.bash_thread, self._bash_descriptors = self.bash.parts()

    def _note_descriptors(self, kernel):
        unseen = self._bash_descriptors | {self.tracker.fd}
        self.open = [one for one in kernel.opened_by_user() if one.fd not in unseen]
        kernel.opened = self.open  # whoever succeeds it takes the numbers of all others for free
        self.mapped, self.devices = mappings.survey()
        self.contents = nameless.Contents(kernel.highest + 1)
        nameless.keep_files(self.open, self.contents)
        mappings.keep(self.mapped, self.contents)
        self.duplicates = openfiles.shared_offsets(self.open)
        alone = not hazards.company(kernel, self)
        self.pipes = pipes.keep(self.open, alone)
        self.pairs = waiting.pairs(self.open) if alone else None  # others might hear what is written to find out

    def is_half_of_a_pair(self, descriptor):
        """Also if that could not be found out, of what is mostly part of an event loop."""
        if self.pairs is None:
            return waiting.is_nameless(descriptor.fd)
        return any(descriptor in pair[:2] for pair in self.pairs)

    def restore(self):
        os.umask(self.umask)
        try:
            os.sched_setaffinity(0, self.processors)
            os.nice(max(0, self.niceness - os.nice(0)))
        except OSError:
            log.failure("restoring how the process is scheduled")
        self._enter_directory()
        self.open[:] = openfiles.still_held(self.open)
        openfiles.restore(self.open, self.duplicates, self.contents)
        waiting.pair_again([pair for pair in self.pairs or [] if set(pair[:2]) <= set(self.open)])
        pipes.make_again(self.pipes, self.open)
        waiting.watch_again(self.open)
        mappings.map_again(self.mapped, self.contents)
        self.contents.close()
        databases.recognize(self.open)
        self.tracker.leave()
        if self.bash is not None:
            self.bash.succeed(self.bash_memory)

    def restore_last(self):
        """What could keep a copy from starting, or strike while it does."""
        for which, limit in self.limits.items():
            try:
                if resource.getrlimit(which) != limit:
                    resource.setrlimit(which, limit)
            except (OSError, ValueError) as error:
                log.write("a limit could not be set again: %s" % error)
        for which, (seconds, interval) in self.timers.items():
            if seconds:
                signal.setitimer(which, seconds, interval)

    def _enter_directory(self):
        try:
            if self.cwd is None:
                gone = tempfile.mkdtemp()
                os.chdir(gone)
                os.rmdir(gone)
            else:
                os.chdir(self.cwd)
        except OSError as error:
            log.write("the working directory %s is gone: %s" % (self.cwd, error.strerror))


def _directory():
    """None if it was removed; a copy's is too."""
    try:
        return os.getcwd()
    except OSError:
        return None
