"""What the warm parent does once, so that no kernel has to."""

import asyncio  # noqa: F401  (async cells, and IPython's script magics)
import gc
import importlib
import sys

from . import birth, linux, log, shell


def build_shell():
    """The shell, with Husk's own magics."""
    made = shell.build()
    try:
        from . import bash
    except ImportError:
        log.write("no %%husk_bash: its module is missing")
    else:
        bash.load(made)
    return made


def warm(made, preload):
    """Imports the modules named and runs everything once that costs time the first time; (imported, errors)."""
    birth.choose_plot_backend()
    imported, errors = import_modules(preload)
    made.run_cell("pass", store_history=False, silent=True)
    made.display_formatter.format(1)
    _format_a_traceback(made)
    if linux.thread_count() > 1:
        log.write("the preloaded modules started threads, which kernels will not have")
    # Sorted out once here, so that no kernel's collector writes to pages it shares with us.
    gc.collect()
    gc.freeze()
    return imported, errors


def import_modules(names):
    imported, errors = [], {}
    for name in names:
        try:
            importlib.import_module(name)
            imported.append(name)
        except BaseException as error:
            errors[name] = "%s: %s" % (type(error).__name__, error)
            log.failure("preloading %s" % name)
    return imported, errors


def _format_a_traceback(made):
    """The first traceback loads a good part of IPython."""
    try:
        exec(compile("1 / 0", "<warm-up>", "exec"), {})
    except ZeroDivisionError:
        made.InteractiveTB.structured_traceback(*sys.exc_info())
