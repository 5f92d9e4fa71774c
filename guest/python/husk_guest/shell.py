"""IPython's InteractiveShell, fitted to a kernel that is built before its process is known.

The shell is made once, in the warm parent, and every kernel inherits it through fork. So it must hold no thread, no
database and no open file, and ``kernel`` is empty until a kernel moves in.
"""

import importlib
import os
import re
import subprocess
import traceback
from contextlib import contextmanager

import IPython
from IPython.core import interactiveshell, page
from IPython.core.autocall import ZMQExitAutocall
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets import Any, CBool, Instance, Type, default
from traitlets.config import Config

from . import loops, magics, profile, rich
from .display import DisplayOutput, ResultHook
from .history import MemoryHistory

_COLOUR_CODE = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]")
_HERE = os.path.dirname(os.path.abspath(__file__))


class ZMQInteractiveShell(InteractiveShell):
    """Named as ipykernel's shell is, because pandas, rich and others look for this name to know a notebook."""

    kernel = Any()
    displayhook_class = Type(ResultHook)
    display_pub_class = Type(DisplayOutput)
    autoindent = CBool(False)
    exiter = Instance(ZMQExitAutocall)
    keepkernel_on_exit = None

    # What the last cell left behind, for its reply.
    last_error = None
    formatting_result = False
    failed_to_format = False
    _store = None

    @default("exiter")
    def _default_exiter(self):
        return ZMQExitAutocall(self)

    # --- how it is built

    def init_ipython_dir(self, ipython_dir):
        self.ipython_dir = ipython_dir or profile.ipython_dir()

    def _ipython_dir_changed(self, change):
        """Replaces the observer that creates the directory."""

    def init_profile_dir(self, profile_dir):
        self.profile_dir = profile_dir or profile.UnwrittenProfile(location=profile.profile_location())

    def init_virtualenv(self):
        """The interpreter was chosen by whoever started it; VIRTUAL_ENV does not change its path."""

    def init_history(self):
        self.history_manager = MemoryHistory(shell=self, parent=self)
        self.configurables.append(self.history_manager)

    def init_hooks(self):
        super().init_hooks()
        self.set_hook("show_in_pager", page.as_hook(self._page), 99)

    def init_display_formatter(self):
        super().init_display_formatter()
        rich.install(self)

    def init_magics(self):
        super().init_magics()
        magics.load(self)

    @property
    def db(self):
        if self._store is None:
            self._store = profile.open_store(self.profile_dir.location)
        return self._store

    @db.setter
    def db(self, value):
        """Older IPython opens its store while it is built; ours opens on first use."""

    def move_in(self, kernel):
        """A kernel takes this shell over: paths are those of its process, not of the parent that built it."""
        copied = getattr(self, "kernel", None) is not None
        self.kernel = kernel
        self.loop_runner = kernel.loops.run
        self.ipython_dir = profile.ipython_dir()
        self.profile_dir.location = profile.profile_location()
        self.home_dir = os.path.expanduser("~")
        if not copied:  # a copy has been where its original was
            self.starting_dir = os.getcwd()
            self.history_manager.dir_hist[:] = [self.starting_dir]

    # --- running cells

    def should_run_async(self, raw_cell, *, transformed_cell=None, preprocessing_exc_tuple=None):
        if preprocessing_exc_tuple is None and self.autoawait and loops.needs_running_loop(transformed_cell or ""):
            return True
        return super().should_run_async(
            raw_cell, transformed_cell=transformed_cell, preprocessing_exc_tuple=preprocessing_exc_tuple
        )

    @contextmanager
    def _tee(self, channel):
        """IPython would keep a second copy of everything a cell prints, for ever."""
        yield

    def system(self, cmd):
        """``!cmd`` with descriptors 1 and 2 inherited: output streams, stays apart by stream, and keeps its order."""
        command = self.var_expand(cmd, depth=1)
        try:
            code = subprocess.call(command, shell=True, executable=os.environ.get("SHELL") or None)
        except KeyboardInterrupt:
            self.user_ns["_exit_code"] = -2
            raise
        finally:
            # The command may have been an installer.
            importlib.invalidate_caches()
        self.user_ns["_exit_code"] = -(code - 128) if code > 128 else code
        if getattr(self, "system_raise_on_error", False) and code != 0:
            raise subprocess.CalledProcessError(code, command)

    system_raw = system_piped = system

    def enable_gui(self, gui=None):
        magics.refuse_windows(gui)

    def enable_matplotlib(self, gui=None):
        magics.refuse_windows(gui)
        return super().enable_matplotlib(gui)

    # --- errors

    def showtraceback(self, exc_tuple=None, *args, **kwargs):
        try:
            kind, value, trace = self._get_exc_info(exc_tuple)
        except ValueError:
            super().showtraceback(exc_tuple, *args, **kwargs)
            return
        _cut_our_frames(trace)
        if _holds_group(value):
            # IPython would print groups to stderr, and no client would see an error.
            self._showtraceback(kind, value, _plain_traceback(kind, value, trace))
            return
        try:
            super().showtraceback(exc_tuple, *args, **kwargs)
        except Exception:
            # The exception's own methods failed while it was formatted.
            self._showtraceback(kind, value, _plain_traceback(kind, value, trace))

    def _format_exception_for_storage(self, exception, *args, **kwargs):
        """IPython would format every traceback a second time, for a notebook that %notebook may export."""
        return self.last_error or error_content(type(exception), exception, [])

    def show_usage_error(self, exc):
        self._showtraceback(UsageError, exc, ["UsageError: %s" % exc])

    def _showtraceback(self, etype, evalue, stb):
        self.last_error = error_content(etype, evalue, stb)
        if self.formatting_result:
            self.failed_to_format = True
        if self.kernel is not None:
            self.kernel.publish_output("error", self.last_error)

    # --- payloads

    def ask_exit(self):
        self.exit_now = not self.keepkernel_on_exit
        self.payload_manager.write_payload({"source": "ask_exit", "keepkernel": self.keepkernel_on_exit})

    def set_next_input(self, text, replace=False):
        self.payload_manager.write_payload({"source": "set_next_input", "text": text, "replace": replace})

    def _page(self, strng, start=0, screen_lines=0, pager_cmd=None):
        data = strng if isinstance(strng, dict) else {"text/plain": strng}
        data = {mime: _without_colour(text) for mime, text in data.items()}
        self.payload_manager.write_payload({"source": "page", "data": data, "start": max(0, start)})


def build():
    """Makes the shell of this process."""
    config = Config()
    config.HistoryManager.enabled = False
    # tqdm and others take this section as the sign of a notebook.
    config.IPKernelApp.husk = True
    colours = "nocolor" if IPython.version_info >= (9,) else "NoColor"
    with _no_eager_store():
        return ZMQInteractiveShell.instance(config=config, colors=colours)


@contextmanager
def _no_eager_store():
    """Older IPython creates the directory of its store while the shell is built."""
    original = getattr(interactiveshell, "PickleShareDB", None)
    if original is None:
        yield
        return
    interactiveshell.PickleShareDB = lambda *_: None
    try:
        yield
    finally:
        interactiveshell.PickleShareDB = original


def error_content(kind, value, lines):
    """The content of an error message, whatever the exception's own methods do."""
    try:
        text = str(value)
    except Exception:
        text = "<exception str() failed>"
    return {"ename": kind.__name__, "evalue": text, "traceback": [_without_colour(line) for line in lines]}


def _without_colour(text):
    return _COLOUR_CODE.sub("", text) if isinstance(text, str) else text


def _holds_group(error):
    seen = set()
    while error is not None and id(error) not in seen:
        if hasattr(error, "exceptions") and hasattr(error, "derive"):
            return True
        seen.add(id(error))
        error = error.__context__
    return False


def _cut_our_frames(trace):
    """Whoever interrupts print() or input() wants to see their own line, not how the kernel writes."""
    last_of_user = None
    while trace is not None:
        if os.path.dirname(trace.tb_frame.f_code.co_filename) != _HERE:
            last_of_user = trace
        trace = trace.tb_next
    if last_of_user is not None:
        last_of_user.tb_next = None


def _plain_traceback(kind, value, trace):
    """As Python itself prints it, from the cell's own frame on."""
    while trace is not None and "%sIPython%s" % (os.sep, os.sep) in trace.tb_frame.f_code.co_filename:
        trace = trace.tb_next
    return traceback.format_exception(kind, value, trace)
