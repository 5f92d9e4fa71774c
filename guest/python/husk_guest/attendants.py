"""What Python's libraries keep for their own use: user code does not know of it, and need not end it to be copied."""

import asyncio
import subprocess
import sys
import threading

from . import log

_PATIENCE = 1.0  # seconds


def dismiss(shell):
    """Between two cells. What is needed again comes back by itself; what stays is found to be a hazard."""
    try:
        subprocess._cleanup()  # programs that nobody waited for, with their pipes, once they have ended
        _end_loop_of_scripts(shell)
    except Exception:
        log.failure("dismissing what libraries keep")


def _end_loop_of_scripts(shell):
    """The thread of ``%%bash`` and its like. What runs in the background still needs it."""
    magics = shell.magics_manager.registry.get("ScriptMagics")
    loop = getattr(magics, "event_loop", None)
    if loop is None or magics.bg_processes or asyncio.all_tasks(loop):
        return
    threads = [one for one in threading.enumerate() if getattr(one, "_target", None) == loop.run_forever]
    loop.call_soon_threadsafe(loop.stop)
    for thread in threads:
        thread.join(_PATIENCE)
    if not loop.is_running():
        loop.close()
        magics.event_loop = None


class Tracker:
    """The process that removes what multiprocessing leaves behind. A copy starts its own when it needs one."""

    def __init__(self):
        module = sys.modules.get("multiprocessing.resource_tracker")
        self._known = getattr(module, "_resource_tracker", None)
        self.pid = getattr(self._known, "_pid", None)
        self.fd = getattr(self._known, "_fd", None)

    def leave(self):
        """In a copy."""
        if self.pid is not None:
            self._known._fd = self._known._pid = None
