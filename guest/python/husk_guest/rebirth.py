"""How a copy of a kernel becomes a kernel of its own: what changes about the process, in order."""

import json
import os
import random
import sys

from . import birth, lastwords, linux, log, porter
from .kernel import Kernel
from .sockets import PORTS


def become_copy(shell, copied):
    """Turns a copy into a kernel that is bound and answering. Ends the process if it cannot."""
    circumstances = copied.circumstances
    report_fd = None
    try:
        report_fd, told, log_fd, words_fd, *listening = porter.luggage()
        birth.use_log(log_fd)
        log.use(log_fd)
        os.setsid()
        linux.name_process("husk-kernel")
        told = _wait_to_be_told(told)
        circumstances.restore()
        if told["fork"]:
            os.environ.update(told["env"])
            be_somebody_else()
        else:
            random.setstate(circumstances.random_state)  # Python itself has given every copy a new one
        former = shell.kernel
        kernel = Kernel(shell, told["connection"], lastwords.LastWords(words_fd), dict(zip(PORTS, listening)))
        kernel.succeed(former)
        kernel.start()
        kernel.claim_descriptors(report_fd)
        circumstances.restore_last()
        os.write(report_fd, b'{"ok": true}')
        os.close(report_fd)
        return kernel
    except BaseException as error:
        log.failure("a copy of a kernel could not start")
        if report_fd is not None:
            os.write(report_fd, json.dumps({"error": (str(error) or type(error).__name__)[:3000]}).encode())
        os._exit(127)


def _wait_to_be_told(descriptor):
    """Until then, files that the copy is to find may still be on their way."""
    with open(descriptor, "rb") as file:
        told = file.read()
    if not told:
        raise EOFError("whoever wanted this copy has given it up")
    return json.loads(told)


def be_somebody_else():
    """A fork and its original must not draw the same numbers, names or keys.

    OpenSSL sees to it by itself, because a copy never has the number of its original.
    """
    birth.refresh_randomness()
    if "torch" in sys.modules:
        sys.modules["torch"].seed()
    if "uuid" in sys.modules:
        sys.modules["uuid"]._last_timestamp = None
