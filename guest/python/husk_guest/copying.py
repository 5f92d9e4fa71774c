"""A kernel that is copied while it lives: how it parks for the moment, and what a copy must know.

Between two cells the main thread parks, and the porter copies the process. The original goes on. A copy may be let
loose much later, and more than once: with the original's memory, but with its own pid, descriptors and threads, and
perhaps in another sandbox (``rebirth``).
"""

import os
import random

from . import hazards, log, openfiles, porter

_PATIENCE = 10.0  # seconds until the porter must have been told to copy


class Copied(BaseException):
    """Raised in a copy that was let loose, to leave the original's loop and become a kernel of its own."""

    def __init__(self, circumstances):
        super().__init__("copied")
        self.circumstances = circumstances


class Circumstances:
    """What of a process is not in its memory."""

    def __init__(self, opened):
        self.cwd = os.getcwd()
        self.umask = os.umask(0)
        os.umask(self.umask)
        self.niceness = os.nice(0)
        self.processors = os.sched_getaffinity(0)
        self.open = opened
        self.random_state = random.getstate()

    def restore(self):
        os.umask(self.umask)
        try:
            os.sched_setaffinity(0, self.processors)
            os.nice(max(0, self.niceness - os.nice(0)))
        except OSError:
            log.failure("restoring how the process is scheduled")
        try:
            os.chdir(self.cwd)
        except OSError as error:
            log.write("the working directory %s is gone: %s" % (self.cwd, error.strerror))
        openfiles.restore(self.open)


def park(kernel, content):
    """Answers a husk_park_request: the reply of the original. Copies leave by ``Copied``."""
    if not porter.settled:
        return _reply("unavailable", [])
    kernel.outlet.sync(final=True)
    opened = kernel.opened_by_user()
    dangers = hazards.found(kernel, opened)
    if dangers and not content.get("proceed"):
        return _reply("refused", dangers)
    circumstances = Circumstances(opened)
    copied = porter.park(content["snapshot_id"], float(content.get("seconds", _PATIENCE)), kernel.highest + 1)
    if copied is False:
        raise Copied(circumstances)
    return _reply("ok" if copied else "timeout", dangers)


def _reply(status, dangers):
    return {"status": status, "hazards": dangers}
