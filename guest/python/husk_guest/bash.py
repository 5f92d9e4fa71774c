"""A real bash beside the kernel, as two IPython cell magics.

``%%husk_bash`` runs its cell in one bash that lives as long as the kernel:
directory, variables, functions, options and background jobs carry over from
call to call.  ``%%husk_bash_once`` runs its cell in a fresh bash, started in
the kernel's directory and environment.

How the persistent shell works
    Bash reads its script from a pipe that we keep open.  For each call we write
    the user's code to a private temporary file and send two lines: one sources
    that file at top level and reports ``$?`` on a private descriptor, the other
    reports again in case an error made bash discard the rest of the first.
    Bash keeps its script descriptor to itself, and the report descriptor is
    closed while user code runs, so commands see neither.

Interrupts
    The shell shares the kernel's process group, so SIGINT reaches it and its
    commands too.  An INT trap then sets a DEBUG trap, which before any further
    command returns from the function or file being executed, level by level,
    until the shell is back at its driver lines.  (An INT trap that returns would
    leave just the innermost function.)  Because of this, INT and DEBUG traps set
    by user code last only for one call.  Between calls the shell ignores SIGINT.
    When that is not enough, the commands of the call are killed, and if that
    does not help either, the shell and everything below it.

Errors
    ``exit``, ``exec command``, an unset ``${name:?}`` and, under ``set -e``, any
    call whose last command fails all end the shell, as they would a script.  The
    call says so on stderr, and the next one gets a fresh shell.

Background jobs
    A call ends when its foreground code ends.  What jobs write later waits in
    the pipe and is shown by the next call.  Nobody reads between calls: a job
    that writes more than the pipe holds (1 MiB where Linux allows it, commonly
    64 KiB elsewhere) blocks until the next call.

This file depends on the standard library and IPython only and imports none of
its siblings, because it is also sent as source text to kernels that have
nothing of ours installed.
"""

import atexit
import codecs
import contextlib
import fcntl
import os
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

__all__ = ["ShellError", "load"]

EXIT_CODE_MIME = "application/vnd.husk.exit-code+json"

# What happens, at how many seconds, to work that an interrupt did not end. The
# signal is repeated because the first may have gone to the kernel alone, `read`
# resumes after one, and a bash subshell ignores one when its current command
# happens to end normally. Then its commands are killed, and last the shell.
INTERRUPT_REPEATS = (0.3, 0.6)
INTERRUPT_KILLS_COMMANDS = 0.9
INTERRUPT_KILLS_SHELL = 1.5

CHUNK = 1 << 20
FLUSH_INTERVAL = 0.05  # seconds, so that output is live yet flushed in big pieces
DEFAULT_PIPE_CAPACITY = 1 << 16
F_SETPIPE_SZ = 1031  # Linux; fcntl only names it from Python 3.10 on

# High enough to stay clear of descriptors that scripts choose by hand (3-9) or
# let bash choose (10 and up), low enough to survive a lowered `ulimit -n`.
FIRST_PRIVATE_FD = 60

# Bash maintains these itself, so the kernel's values must not overwrite them.
SHELL_OWNED_VARIABLES = frozenset(["_", "PWD", "OLDPWD", "SHLVL"])

# `return` complains when there is nothing to return from; that is harmless. It
# is in the DEBUG trap only: returning from the INT trap itself makes bash 5.2
# believe from then on that it is inside a trap, and dead jobs pile up.
_RETURN = "builtin return 130 2>/dev/null"
_INT_TRAP = "builtin trap {} DEBUG".format(shlex.quote(_RETURN))


# What a shell knows, as commands that make another know it. Options come last, because with some of them a failing
# command ends the shell; what bash maintains itself it does not let be declared again, and says so to nobody.
_TELL = """\
{{
builtin printf 'builtin cd -- %q\n' "$PWD"
builtin umask -p
builtin declare -p
builtin declare -f
builtin declare -F | command grep -e ' -fx '
builtin alias -p
builtin trap -p EXIT ERR RETURN HUP QUIT TERM USR1 USR2 PIPE ALRM
if [ $# -gt 0 ]; then builtin printf 'builtin set --'; builtin printf ' %q' "$@"; builtin echo; fi
builtin shopt -p
builtin set +o
}} >{state} 2>/dev/null || builtin :
"""
_TELLING_SECONDS = 5.0
_MAINTAINED = re.compile(
    r"declare -\S+ (BASH\w*|SHELLOPTS|EUID|UID|PPID|SHLVL|RANDOM|SRANDOM|SECONDS|LINENO|EPOCH\w*|FUNCNAME|GROUPS"
    r"|DIRSTACK|PIPESTATUS|HISTCMD|COMP_\w*|_)(=|$)"
)


class ShellError(Exception):
    """The cell's last command failed, or the shell ended with a failure."""

    def __init__(self, exit_code):
        super().__init__(exit_code)
        self.exit_code = exit_code

    def __str__(self):
        return "bash exited with code {}".format(self.exit_code)

    def _render_traceback_(self):
        # IPython shows these lines instead of a stack of our internals.
        return ["ShellError: {}".format(self)]


class _Output:
    """The two pipes every command writes to, copied to sys.stdout and sys.stderr.

    They outlive any one shell, and we keep their write ends open as well, so a
    job that survives its shell still has a reader and we never see end of file.
    """

    def __init__(self):
        self._streams = [_Stream("stdout"), _Stream("stderr")]
        self.stdout, self.stderr = self._streams

    def wait_until(self, finished, watched, deadline=None):
        """Copy output until ``finished()``; False if the deadline came first.

        ``watched()`` lists descriptors that become readable when it may be so.
        """
        readers = {stream.reader: stream for stream in self._streams}
        flushed = time.monotonic()
        while not finished():
            ready = _readable(list(readers) + watched(), FLUSH_INTERVAL)
            for fd in ready:
                if fd in readers:
                    readers[fd].copy()
            now = time.monotonic()
            if not ready or now - flushed >= FLUSH_INTERVAL:
                self.flush()
                flushed = now
            if deadline is not None and now >= deadline:
                return False
        return True

    def finish(self):
        for stream in self._streams:
            stream.drain()
        self.flush()

    def flush(self):
        for stream in self._streams:
            stream.flush()

    def close(self):
        for stream in self._streams:
            stream.close()

    def descriptors(self):
        return {fd for stream in self._streams for fd in (stream.reader, stream.writer)}


class _Stream:
    """One pipe and the sys stream of the same name it is copied to."""

    def __init__(self, name):
        self._name = name
        self.reader, self.writer = os.pipe()
        os.set_blocking(self.reader, False)
        self._capacity = _enlarge_pipe(self.writer)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._unflushed = 0
        self._at_line_start = True

    def copy(self):
        """Pass on what one read gives; return how many bytes that was."""
        try:
            data = os.read(self.reader, CHUNK)
        except BlockingIOError:
            return 0
        self._write(self._decoder.decode(data))
        # A kernel's streams buffer without limit, so memory is bounded here.
        self._unflushed += len(data)
        if self._unflushed >= CHUNK:
            self.flush()
        return len(data)

    def drain(self):
        """Pass on what a finished command left in the pipe.

        Stops after one pipe's worth: a background job may never stop writing.
        """
        left = self._capacity
        while left > 0:
            count = self.copy()
            if not count:
                break
            left -= count
        self._write(self._decoder.decode(b"", True))

    def say(self, message):
        """Write a line of our own."""
        self._write(("" if self._at_line_start else "\n") + message + "\n")
        self._unflushed += 1

    def flush(self):
        if self._unflushed:
            self._unflushed = 0
            getattr(sys, self._name).flush()

    def close(self):
        os.close(self.reader)
        os.close(self.writer)

    def _write(self, text):
        if text:
            self._at_line_start = text.endswith("\n")
            # Looked up each time: IPython replaces sys.stdout while capturing.
            getattr(sys, self._name).write(text)


class _Bash:
    """A running bash process whose output goes to an ``_Output``."""

    def __init__(self, output, arguments, environ, stdin=subprocess.DEVNULL, pass_fds=()):
        self.output = output
        self._process = subprocess.Popen(
            [_find_bash(), "--noprofile", "--norc"] + arguments,
            env=environ,
            stdin=stdin,
            stdout=output.stdout.writer,
            stderr=output.stderr.writer,
            pass_fds=pass_fds,
        )
        self.pid = self._process.pid
        self._ended, self._ended_writer = os.pipe()
        self._reaper = threading.Thread(target=self._reap, daemon=True)
        self._reaper.start()

    def exit_code(self):
        """The exit code as bash would put it, or None while running."""
        code = self._process.returncode
        return 128 - code if code is not None and code < 0 else code

    def wait(self, deadline=None):
        """Copy output until the current work is done; False on the deadline."""
        return self.output.wait_until(self._finished, self._watched, deadline)

    def stop_after_interrupt(self):
        """Have interrupted work end; True if the shell itself survived that."""
        started = time.monotonic()
        try:
            for seconds in INTERRUPT_REPEATS:
                if self.wait(started + seconds):
                    return True
                _signal_each(_with_group_of(self.pid), signal.SIGINT)
            if self.wait(started + INTERRUPT_KILLS_COMMANDS):
                return True
            _signal_each(filter(_heeds_interrupts, _descendants(self.pid)), signal.SIGKILL)
            if self.wait(started + INTERRUPT_KILLS_SHELL):
                return True
        except KeyboardInterrupt:
            pass  # the user is impatient
        self.kill()
        return False

    def kill(self):
        if self.exit_code() is None:
            _signal_tree(self.pid, signal.SIGKILL)
            self._reaper.join()

    def hang_up(self):
        """End the shell and its jobs as the closing of a terminal would."""
        if self.exit_code() is None:
            _signal_tree(self.pid, signal.SIGHUP)
            self._reaper.join(1)
            self.kill()

    def close(self):
        """Release our descriptors; a shell waiting for a request then ends."""
        os.close(self._ended)

    def _reap(self):
        # In a thread and not when next asked, because at its shutdown ipykernel
        # signals its children and then waits seconds for zombies to go away.
        self._process.wait()
        ended_writer, self._ended_writer = self._ended_writer, None
        with contextlib.suppress(OSError):
            os.write(ended_writer, b"x")  # wakes up `wait`
        os.close(ended_writer)

    def descriptors(self):
        """Those that are ours and not the user's."""
        return {self._ended, self._ended_writer} - {None}

    def _finished(self):
        return self.exit_code() is not None

    def _watched(self):
        return [self._ended]


class _PersistentBash(_Bash):
    """A bash that takes one request after another."""

    def __init__(self, output, memory=None):
        # Bash would read BASH_ENV as a startup file. Left out here, it counts
        # as changed and is exported with the first request.
        self._environ = dict(os.environ)
        self._environ.pop("BASH_ENV", None)
        self._directory = _current_directory()
        self._requests = 0
        self._flags = ""
        self._memory = memory
        self._exit_code = None
        self._partial_report = b""
        self._reports_ended = False
        script_reader, self._script = os.pipe()
        self._reports, report_writer = os.pipe()
        os.set_blocking(self._reports, False)
        self._report_fd = fcntl.fcntl(report_writer, fcntl.F_DUPFD_CLOEXEC, FIRST_PRIVATE_FD)
        try:
            super().__init__(
                output,
                ["/dev/stdin"],
                self._environ,
                stdin=script_reader,
                pass_fds=[self._report_fd],
            )
        except BaseException:
            os.close(self._script)
            os.close(self._reports)
            raise
        finally:
            for fd in (script_reader, report_writer, self._report_fd):
                os.close(fd)
        # Bash opened its script on a descriptor of its own, so stdin is free.
        # BASH_ARGV0 sets $0, which would be /dev/stdin.
        self._send("builtin trap '' INT; exec </dev/null; BASH_ARGV0=bash\n")

    def start(self, folder, code):
        """Send a request; ``wait`` then waits for its end."""
        cell = _write_file(folder, "cell", self._trace_prefix() + code)
        before = _write_file(folder, "before", self._recall() + self._catch_up())
        self._requests += 1
        self._exit_code = None
        # The group's redirection hides what `set -x` and a DEBUG trap say of it.
        report = (
            '{{ builtin printf "%s %s %s\\n" {} "$?" "$-" >&{}; builtin trap "" INT;'
            " builtin trap - DEBUG; builtin set +xv; }} >/dev/null 2>&1"
        ).format(self._requests, self._report_fd)
        self._send(
            "builtin source {before} || builtin :; builtin trap {trap} INT;"
            " builtin source {cell} {fd}>&-; {report}\n{report}\n".format(
                before=shlex.quote(before),
                trap=shlex.quote(_INT_TRAP),
                cell=shlex.quote(cell),
                fd=self._report_fd,
                report=report,
            )
        )

    def result(self):
        """The exit code of the request that just finished."""
        return self.exit_code() if self._exit_code is None else self._exit_code

    def has_ended(self):
        """Whether the shell is gone, as opposed to waiting for a request."""
        return self.exit_code() is not None

    def close(self):
        super().close()
        os.close(self._script)
        os.close(self._reports)

    def _finished(self):
        self._read_reports()
        if self._exit_code is not None:
            return True
        if not self.has_ended():
            return False
        self._read_reports()  # it may have reported just before it ended
        return True

    def _watched(self):
        # `exec command` closes the pipe, which is then readable forever, while
        # the command goes on in the shell's place.
        return super()._watched() + ([] if self._reports_ended else [self._reports])

    def _read_reports(self):
        try:
            data = os.read(self._reports, 4096)
        except BlockingIOError:
            return
        self._reports_ended = not data
        *lines, self._partial_report = (self._partial_report + data).split(b"\n")
        for line in lines:
            request, code, flags = line.decode("ascii").split(" ")
            # Each request reports twice; whatever comes second is stale.
            if int(request) == self._requests and self._exit_code is None:
                self._exit_code = int(code)
                self._flags = flags

    def _send(self, text):
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(self._script, data):]
        except BrokenPipeError:
            pass  # the shell is gone, which waiting for it will find out

    def _trace_prefix(self):
        # Tracing is off between calls so that the driver lines do not show.
        # On the first line of the cell, this leaves line numbers as they are.
        flags = "".join(flag for flag in "vx" if flag in self._flags)
        return "builtin set -{}; ".format(flags) if flags else ""

    def remember(self, folder):
        """What the shell knows, or None if it does not say."""
        state = os.path.join(folder, "state")
        flags, self._flags = self._flags, ""
        try:
            self.start(folder, _TELL.format(state=shlex.quote(state)))
            if not self.wait(time.monotonic() + _TELLING_SECONDS) or self.has_ended():
                return None
            with open(state, "rb") as file:
                told = file.read().decode("utf-8", "surrogateescape")
        except OSError:
            return None
        finally:
            self._flags = flags
        return _Memory(_without_maintained(told), flags, self._environ, self._directory)

    def descriptors(self):
        return super().descriptors() | {self._script, self._reports}

    def _recall(self):
        """Commands that tell a new shell what the one that it stands for knew."""
        memory, self._memory = self._memory, None
        if memory is None:
            return ""
        self._flags, self._environ, self._directory = memory.flags, memory.environ, memory.directory
        return "{{\n{}\n}} >/dev/null 2>&1\n".format(memory.commands)

    def _catch_up(self):
        """Commands that follow what Python changed since the last request."""
        environ, previous = dict(os.environ), self._environ
        lines = []
        for name in sorted(set(environ) | set(previous)):
            if environ.get(name) == previous.get(name) or not _can_follow(name):
                continue
            if name in environ:
                lines.append("builtin export {}={}".format(name, shlex.quote(environ[name])))
            else:
                lines.append("builtin unset -v {}".format(name))
        directory = _current_directory()
        if directory not in (None, self._directory):
            lines.append("builtin cd -- {}".format(shlex.quote(directory)))
        self._environ, self._directory = environ, directory
        return "".join(line + "\n" for line in lines)


class _Memory:
    """What a shell knew when its kernel was copied."""

    def __init__(self, commands, flags, environ, directory):
        self.commands = commands
        self.flags = flags
        self.environ = environ
        self.directory = directory


class _Session:
    """What the two magics of one kernel process share."""

    def __init__(self):
        self._lock = threading.Lock()
        self._forget()
        atexit.register(self.close)
        # A forked child must not talk to its parent's shell, nor keep the
        # shell's script pipe open after the parent is gone.
        os.register_at_fork(after_in_child=self._abandon)

    def run(self, code):
        """Run code in the persistent shell and return its exit code."""
        _check(code)
        with self._lock, tempfile.TemporaryDirectory(prefix="husk-bash-") as folder:
            shell = self._ready_shell()
            try:
                shell.start(folder, code)
                shell.wait()
            except KeyboardInterrupt:
                if not shell.stop_after_interrupt():
                    self._say("the shell did not stop when interrupted and was killed; its state is lost")
                    self._drop_shell()
                elif shell.has_ended():
                    self._say_ended(shell)
                self._output.finish()
                raise
            except BaseException:
                # We no longer know what the shell is doing.
                shell.kill()
                self._drop_shell()
                raise
            self._output.finish()
            exit_code = shell.result()
            if shell.has_ended():
                self._say_ended(shell)
            return exit_code

    def run_once(self, code):
        """Run code in a bash of its own and return its exit code."""
        _check(code)
        with self._lock, tempfile.TemporaryDirectory(prefix="husk-bash-") as folder:
            output = self._ready_output()
            script = _write_file(folder, "cell", code)
            bash = _Bash(output, [script], dict(os.environ))
            try:
                bash.wait()
            except KeyboardInterrupt:
                bash.stop_after_interrupt()
                output.finish()
                raise
            except BaseException:
                bash.kill()
                raise
            finally:
                bash.close()
            output.finish()
            return bash.exit_code()

    def remember(self):
        """Before the kernel is copied, between two cells: has the shell tell what it knows, so that the copy's will.

        A memory to ``succeed`` with, or None if there is none.
        """
        if not self.runs():
            return self._memory
        with self._lock, tempfile.TemporaryDirectory(prefix="husk-bash-") as folder:
            return self._shell.remember(folder)

    def runs(self):
        return self._shell is not None and not self._shell.has_ended()

    def parts(self):
        """(process, thread, descriptors) that are ours and not the user's."""
        held = [part for part in (self._shell, self._output) if part is not None]
        descriptors = set().union(*[part.descriptors() for part in held])
        return self._shell and self._shell.pid, self._shell and self._shell._reaper, descriptors

    def succeed(self, memory):
        """In a copy of the kernel, which has left its original's shell: the next one knows what was remembered."""
        self._memory = memory

    def close(self):
        """End the shell with the kernel."""
        if self._shell is not None:
            self._shell.hang_up()
            self._drop_shell()

    def _ready_output(self):
        if self._output is None:
            self._output = _Output()
        return self._output

    def _ready_shell(self):
        output = self._ready_output()
        if self._shell is not None and self._shell.has_ended():
            self._say_ended(self._shell)
        if self._shell is None:
            self._shell = _PersistentBash(output, self._memory)
            self._memory = None
        return self._shell

    def _say_ended(self, shell):
        self._say("the shell ended with exit code {}; its state is lost".format(shell.exit_code()))
        self._drop_shell()

    def _say(self, message):
        self._output.finish()
        self._output.stderr.say("husk: " + message)
        self._output.flush()

    def _drop_shell(self):
        shell, self._shell = self._shell, None
        shell.close()

    def _abandon(self):
        shell, output = self._shell, self._output
        self._lock = threading.Lock()  # the parent may have held the old one
        self._forget()
        for thing in (shell, output):
            if thing is not None:
                with contextlib.suppress(OSError):
                    thing.close()

    def _forget(self):
        self._shell = None
        self._output = None
        self._memory = None


def _without_maintained(told):
    return "".join(line for line in told.splitlines(True) if not _MAINTAINED.match(line))


def load(ipython):
    """Register the cell magics; loading again keeps the running shell."""
    if getattr(ipython, "_husk_bash", None) is not None:
        return
    session = ipython._husk_bash = _Session()

    def husk_bash(line, cell):
        """Run the cell in this kernel's persistent bash."""
        _run_cell(session.run, cell)

    def husk_bash_once(line, cell):
        """Run the cell in a fresh bash."""
        _run_cell(session.run_once, cell)

    for magic in (husk_bash, husk_bash_once):
        ipython.register_magic_function(magic, magic_kind="cell", magic_name=magic.__name__)


def _run_cell(run, code):
    try:
        exit_code = run(code)
    except KeyboardInterrupt:
        _publish(128 + signal.SIGINT)
        raise
    _publish(exit_code)
    if exit_code:
        raise ShellError(exit_code)


def _publish(exit_code):
    from IPython.display import display

    display({EXIT_CODE_MIME: int(exit_code)}, raw=True)


def _check(code):
    if "\0" in code:
        raise ValueError("bash code cannot contain NUL bytes")


def _find_bash():
    bash = shutil.which("bash")
    if bash is None:
        raise RuntimeError("bash is not installed on this machine, or not on PATH")
    return bash


def _write_file(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(text.encode("utf-8", "surrogateescape"))
    return path


def _current_directory():
    try:
        return os.getcwd()
    except OSError:
        return None  # it was removed; there is nowhere to follow to


def _can_follow(name):
    return name not in SHELL_OWNED_VARIABLES and re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name)


def _readable(fds, timeout):
    poller = select.poll()  # unlike select(), not limited to 1024 descriptors
    for fd in fds:
        poller.register(fd, select.POLLIN)
    return [fd for fd, _ in poller.poll(timeout * 1000)]


def _enlarge_pipe(fd):
    """Ask for a big pipe and return the capacity to count on."""
    try:
        return fcntl.fcntl(fd, F_SETPIPE_SZ, CHUNK)
    except OSError:
        return DEFAULT_PIPE_CAPACITY


def _signal_tree(pid, signum):
    """Signal a process and its descendants, also those being forked meanwhile."""
    stopped = set()
    while True:
        new = set([pid] + _descendants(pid)) - stopped
        if not new:
            break
        _signal_each(new, signal.SIGSTOP)
        stopped |= new
    _signal_each(stopped, signum)
    _signal_each(stopped, signal.SIGCONT)


def _signal_each(pids, signum):
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signum)


def _with_group_of(pid):
    """A process and those of its descendants that share its group.

    Parents come first: a bash that sees its command die of SIGINT heeds its own
    SIGINT only if that came before.
    """
    group = _group(pid)
    if group is None:
        return []
    return [each for each in [pid] + _descendants(pid) if _group(each) == group]


def _group(pid):
    try:
        return os.getpgid(pid)
    except OSError:
        return None


def _heeds_interrupts(pid):
    """Whether a process is known not to ignore SIGINT, as background jobs do."""
    try:
        with open("/proc/{}/status".format(pid)) as file:
            ignored = next(line.split()[1] for line in file if line.startswith("SigIgn:"))
    except (OSError, StopIteration):
        return False
    return not int(ignored, 16) & 1 << signal.SIGINT - 1


def _descendants(pid):
    """Process ids, parents before their children."""
    children = {}
    for child, parent in _list_processes():
        children.setdefault(parent, []).append(child)
    found, queue = [], [pid]
    while queue:
        below = children.get(queue.pop(0), [])
        found += below
        queue += below
    return found


def _list_processes():
    """Pairs of process id and parent process id."""
    if os.path.exists("/proc/self/stat"):
        return list(_read_proc())
    listing = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, check=False)
    return [tuple(map(int, line.split())) for line in listing.stdout.splitlines()]


def _read_proc():
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                with open("/proc/{}/stat".format(name), "rb") as file:
                    # "pid (name) state ppid ...", where name can hold anything
                    yield int(name), int(file.read().rpartition(b")")[2].split()[1])
