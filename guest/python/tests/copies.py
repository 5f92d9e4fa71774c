"""Copies of kernels, for the tests: asks the kernel to park and its warm parent to copy it."""

import uuid
from collections import namedtuple

from harness import WarmParent

Held = namedtuple("Held", "request asked")


class CopyingParent(WarmParent):
    def snapshot(self, kernel, **content):
        """(id of the snapshot, what the kernel answered)."""
        snapshot_id = uuid.uuid4().hex[:8]
        asked = self.connection.send(
            op="snapshot", kernel_id=kernel.kernel_id, snapshot_id=snapshot_id, directory=kernel.directory
        )
        reply = kernel.ask("husk_park_request", dict(content, snapshot_id=snapshot_id))
        if reply["status"] != "ok":
            assert self.connection.ask(op="drop", snapshot_id=snapshot_id)["dropped"]
            return None, reply
        answer = self.connection.answer(asked)
        assert answer["ok"], answer
        return snapshot_id, reply

    def revive(self, snapshot_id, request=None, fork=True, **options):
        request = request or self.prepare(**options)
        answer = self.connection.ask(**dict(request, op="revive", snapshot_id=snapshot_id, fork=fork))
        assert answer["ok"], (answer, self.log())
        return self.adopt(request, answer)

    def hold(self, snapshot_id, connection=None):
        """Asks for a copy that goes on when it is released."""
        connection, request = connection or self.connection, self.prepare()
        asked = connection.send(**dict(request, op="revive", snapshot_id=snapshot_id, fork=True, held=True))
        return Held(request, asked)

    def release(self, held):
        assert self.connection.ask(op="release", kernel_id=held.request["kernel_id"], go=True)["released"]
        answer = self.connection.answer(held.asked)
        assert answer["ok"], (answer, self.log())
        return self.adopt(held.request, answer)

    def give_up(self, held):
        assert self.connection.ask(op="release", kernel_id=held.request["kernel_id"], go=False)["released"]
        return self.connection.answer(held.asked)

    def fork(self, kernel, housing=None, **content):
        snapshot_id, reply = self.snapshot(kernel, **content)
        assert snapshot_id, reply
        try:
            return self.revive(snapshot_id, housing=housing)
        finally:
            self.drop(snapshot_id)

    def drop(self, snapshot_id):
        assert self.connection.ask(op="drop", snapshot_id=snapshot_id)["dropped"]
