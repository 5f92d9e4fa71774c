"""Checks what a client hears of a kernel that others use, too.

A request's id says whose it is and which: so each client can check not only its own output, but
all that its kernel publishes. Of every client of the kernel it must hear every cell, whole and in
order.
"""

import collections
import os

LINES = 5
LONG = 2000  # lines of the cells that print much


class Fault(AssertionError):
    pass


def cell(client: int, number: int) -> tuple:
    """The code of a client's cell of that number, and what it prints."""
    lines = LONG if number % 10 == 9 else LINES
    code = f"for i in range({lines}): print('{client}', {number}, i)"
    return code, "".join(f"{client} {number} {i}\n" for i in range(lines))


class Witness:
    """Checks what one client hears of its kernel."""

    def __init__(self, client: int):
        self.client = client
        self.ended = collections.Counter()  # by client: cells heard to their end
        self.replies = 0
        self.messages = 0
        self.repeated = 0
        self._open = {}
        self._order = {}  # of the messages heard, by their ids
        self._again = None  # the last one heard a second time; None once there was a new one

    def returned(self) -> None:
        """What comes next may begin with the end of what was heard already, but skip nothing."""
        self._again = -1

    def hear(self, message: dict) -> None:
        known = self._order.get(message["header"]["msg_id"])
        if known is not None:
            self._repetition(known, message)
            return
        missing = self._again is not None and self._again not in (-1, len(self._order) - 1)
        self._insist(not missing, "again some, but not all, of what it had heard last")
        self._again = None
        self._order[message["header"]["msg_id"]] = len(self._order)
        self._first_time(message)

    def _repetition(self, known: int, message: dict) -> None:
        kind = message["header"]["msg_type"]
        self._insist(self._again is not None, f"{kind} twice")
        self._insist(self._again in (-1, known - 1), f"{kind} again, and out of order")
        self._again = known
        self.repeated += 1

    def _first_time(self, message: dict) -> None:
        self.messages += 1
        asked = message["parent_header"].get("msg_id", "")
        if not asked.startswith("load "):
            return
        client, number = (int(word) for word in asked.split()[1:])
        if message["channel"] == "shell":
            self._reply(client, number, message)
        elif message["channel"] == "iopub":
            self._published(client, number, message)

    def _reply(self, client: int, number: int, message: dict) -> None:
        self._insist(client == self.client, f"a reply to client {client}")
        self._insist(number == self.replies, f"reply {number} when {self.replies} was due")
        self._insist(message["content"]["status"] == "ok", f"reply {message['content']}")
        self.replies += 1

    def _published(self, client: int, number: int, message: dict) -> None:
        kind, content = message["header"]["msg_type"], message["content"]
        due = self.ended[client]
        self._insist(number == due, f"{kind} of cell {number} of {client} when {due} was due")
        said = self._open.setdefault(client, [])
        step = content["execution_state"] if kind == "status" else kind
        self._insist(step == "busy" or said, f"{step} of {client} before it was busy")
        said.append((step, content.get("text", "")))
        if step == "idle":
            self._check(client, number, self._open.pop(client))

    def _check(self, client: int, number: int, said: list) -> None:
        steps = [step for step, _ in said]
        streams = ["stream"] * steps.count("stream")
        order = ["busy", "execute_input", *streams, "idle"]
        self._insist(steps == order, f"cell {number} of {client} was told as {steps}")
        text, whole = "".join(part for _, part in said), cell(client, number)[1]
        self._insist(text == whole, f"cell {number} of {client}: {difference(text, whole)}")
        self.ended[client] += 1

    def _insist(self, right: bool, what: str) -> None:
        if not right:
            raise Fault(f"client {self.client} heard {what}")


def difference(text: str, whole: str) -> str:
    """Where the two part ways."""
    at = len(os.path.commonprefix([text, whole]))
    return (
        f"{text[at : at + 80]!r} after {at} of {len(whole)} characters, not {whole[at : at + 80]!r}"
    )
