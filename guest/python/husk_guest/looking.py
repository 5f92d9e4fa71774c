"""Answers a husk_look_request: what the kernel's variables look like, and which processes a cell has started."""

from . import log, variables, watching


def answer(kernel, content):
    """Between two cells. A watch begins after the look and ends before it, so that the look is no part of it."""
    reply = {"status": "ok"}
    partial = False
    if content.get("watch") == "end":
        reply["processes"], partial = watching.end()
    try:
        reply["variables"], unseen = variables.summary(kernel.shell, float(content.get("seconds", variables.SECONDS)))
    except OSError as error:
        log.failure("looking at variables")
        return {"status": "failed", "reason": error.strerror or str(error)}
    if content.get("watch") == "begin":
        watching.begin()
    reply["partial"] = partial or unseen
    return reply
