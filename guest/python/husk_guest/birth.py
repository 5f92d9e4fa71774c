"""From a fresh fork of the warm parent to a kernel: what changes about the process, in order."""

import faulthandler
import importlib.util
import os
import random
import signal
import sys
import tempfile
import time
import warnings

from . import linux, log
from .kernel import Kernel

_INLINE_BACKEND = "module://matplotlib_inline.backend_inline"
_HAS_INLINE = importlib.util.find_spec("matplotlib_inline") is not None


def become_kernel(shell, luggage, cwd, env):
    """Turns this process into a kernel that is bound and answering; its run() is still to be called."""
    os.setsid()
    restore_signals()
    linux.name_process("husk-kernel")
    use_log(luggage.log_fd)
    adopt_environment(env)
    enter(cwd)
    refresh_randomness()
    prepare_interpreter(env)
    kernel = Kernel(shell, luggage.connection, luggage.last_words, luggage.listening)
    kernel.start()
    return kernel


def restore_signals():
    """What the warm parent set for itself is not for its children."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGCHLD, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])


def use_log(fd):
    """The kernel's own log; a crash of native code leaves its trace there too."""
    null = os.open(os.devnull, os.O_RDONLY)
    if null != 0:
        os.dup2(null, 0)
        os.close(null)
    os.dup2(fd, 1)
    os.dup2(fd, 2)
    faulthandler.enable(fd)


def adopt_environment(env):
    os.environ.clear()
    os.environ.update(env)
    time.tzset()


def enter(cwd):
    try:
        os.chdir(cwd)
    except OSError as error:
        raise OSError("the working directory %s cannot be entered: %s" % (cwd, error.strerror)) from None


def refresh_randomness():
    """No two kernels may draw the same numbers, names or keys."""
    random.seed()
    if "numpy.random" in sys.modules:
        sys.modules["numpy.random"].seed()
    tempfile._name_sequence = None
    tempfile.tempdir = None  # TMPDIR may differ from the parent's
    if "multiprocessing.process" in sys.modules:
        sys.modules["multiprocessing.process"].current_process().authkey = os.urandom(32)


def prepare_interpreter(env):
    """What user code sees of the interpreter itself."""
    sys.argv = ["husk-kernel"]
    sys.path[:] = [""] + _python_path(env) + [entry for entry in sys.path if entry != ""]
    # The parent runs with -B to leave no traces beside its own source; user code decides for itself.
    sys.dont_write_bytecode = bool(env.get("PYTHONDONTWRITEBYTECODE"))
    choose_plot_backend()
    prefer_fork_for_workers()
    # Python warns about forking a process with threads. Ours are prepared for it.
    warnings.filterwarnings("ignore", message=".*multi-threaded, use of fork.*", category=DeprecationWarning)


def _python_path(env):
    entries = [os.path.abspath(entry) for entry in env.get("PYTHONPATH", "").split(os.pathsep) if entry]
    return [entry for entry in entries if entry not in sys.path]


def choose_plot_backend():
    """Figures are shown inline unless the environment says otherwise, even if matplotlib was imported before."""
    if _HAS_INLINE:
        os.environ.setdefault("MPLBACKEND", _INLINE_BACKEND)
    if "matplotlib" in sys.modules and "MPLBACKEND" in os.environ:
        sys.modules["matplotlib"].rcParams["backend"] = os.environ["MPLBACKEND"]


def prefer_fork_for_workers():
    """Python 3.14 starts multiprocessing workers afresh, where functions defined in cells do not exist."""
    if sys.version_info >= (3, 14):
        from multiprocessing import context

        context._default_context._default_context = context._concrete_contexts["fork"]
