"""A kernel that is copied while it lives: how it parks for the moment, and what a copy must know.

Between two cells the main thread parks, and the porter copies the process. The original goes on. A copy may be let
loose much later, and more than once: with the original's memory, but with its own pid, descriptors and threads, and
perhaps in another sandbox (``rebirth``).
"""

import os

from . import attendants, hazards, log, openfiles, porter
from .circumstances import Circumstances

_PATIENCE = 10.0  # seconds until the porter must have been told to copy


class Copied(BaseException):
    """Raised in a copy that was let loose, to leave the original's loop and become a kernel of its own."""

    def __init__(self, circumstances):
        super().__init__("copied")
        self.circumstances = circumstances


def park(kernel, content):
    """Answers a husk_park_request: the reply of the original. Copies leave by ``Copied``."""
    if not porter.settled:
        return _reply("unavailable", [])
    try:
        return _park(kernel, content)
    except Exception as error:
        # Whoever asked would wait for an answer until it loses patience.
        log.failure("parking")
        return dict(_reply("failed", []), reason=getattr(error, "strerror", None) or str(error))


def _park(kernel, content):
    kernel.outlet.sync(final=True)
    attendants.dismiss(kernel.shell)
    circumstances = Circumstances(kernel)
    dangers = hazards.found(kernel, circumstances, bool(content.get("files")))
    if dangers and not content.get("proceed"):
        return _reply("refused", dangers)
    copied = _copied(content, circumstances, kernel.highest + 1)
    if copied is False:
        raise Copied(circumstances)
    return _reply("ok" if copied else "timeout", dangers)


_parked = []  # while this process may be copied: the descriptors of its user, and a number above all


def _copied(content, circumstances, above):
    _parked[:] = [one.fd for one in circumstances.open], above
    try:
        return porter.park(content["snapshot_id"], float(content.get("seconds", _PATIENCE)), above)
    finally:
        _parked.clear()


def _hold_descriptors():
    """Not in what user code forks."""
    if _parked:
        openfiles.hold(*_parked)


# The warm parent imports this before anything of the user's: it is the first to run in a copy.
os.register_at_fork(after_in_child=_hold_descriptors)


def _reply(status, dangers):
    return {"status": status, "hazards": dangers}
