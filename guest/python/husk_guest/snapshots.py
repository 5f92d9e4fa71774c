"""The warm parent's snapshots: memory of kernels that was copied, and from which further kernels are let loose."""

import contextlib
import os
import selectors

from . import housing, lines, linux, luggage, porter, spawn


class Snapshot:
    def __init__(self, snapshot_id, kernel_id, path, line, pid):
        self.snapshot_id = snapshot_id
        self.kernel_id = kernel_id
        self.path = path
        self.line = line  # while we hold it, the snapshot lives
        self.pid = pid


class Snapshots:
    def __init__(self, selector, nursery):
        self._selector = selector
        self._nursery = nursery
        self._kept = {}
        self._awaited = {}  # snapshots that a kernel has not parked for yet
        self._held = {}  # by kernel, copies that are to be told when to go on, and whose they are

    def __len__(self):
        return len(self._kept)

    def listed(self):
        return [
            {"snapshot_id": one.snapshot_id, "kernel_id": one.kernel_id, "pid": one.pid} for one in self._kept.values()
        ]

    # --- taking

    def take(self, client, request):
        """Asks the kernel's porter for a copy; it is made when the kernel parks, which somebody else asks it to."""
        _require_text(request, "kernel_id", "snapshot_id", "directory")
        snapshot_id = request["snapshot_id"]
        if snapshot_id in self._kept or snapshot_id in self._awaited:
            raise spawn.BadRequest("snapshot %s exists" % snapshot_id)
        path = os.path.join(request["directory"], "snapshot-" + snapshot_id)
        house = self._nursery.house(request["kernel_id"])
        with lines.listen(path) as orders:
            line = self._order(request, orders)
        self._awaited[snapshot_id] = line, client, request, path
        self._selector.register(line, selectors.EVENT_READ, lambda events: self._taken(client, request, path, line, house))

    def _taken(self, client, request, path, line, house):
        if request["snapshot_id"] not in self._awaited:
            return  # dropped by a request that was heard of at the same time
        said = lines.hear(line)
        self._selector.unregister(line)
        del self._awaited[request["snapshot_id"]]
        started = _started(said, house)
        if started is None:
            line.close()
            _remove(path)
            client.refuse(request.get("id"), "snapshot_failed", _reason(said))
            return
        one = Snapshot(request["snapshot_id"], request["kernel_id"], path, line, said.pid)
        self._kept[one.snapshot_id] = one
        linux.rate_for_killing(said.pid, 0)
        self._selector.register(line, selectors.EVENT_READ, lambda events: self._ended(one))
        client.answer(request.get("id"), pid=said.pid, start_time=started)

    def _ended(self, one):
        """It was killed, for want of memory perhaps."""
        if self._kept.get(one.snapshot_id) is one:
            self._let_go(one)

    def drop(self, client, request):
        _require_text(request, "snapshot_id")
        one = self._kept.get(request["snapshot_id"])
        waiting = self._awaited.pop(request["snapshot_id"], None)
        if waiting is not None:
            self._give_up(*waiting)
        if one is not None:
            self._let_go(one)
        client.answer(request.get("id"), dropped=one is not None or waiting is not None)

    def _give_up(self, line, client, request, path):
        """Whoever asked for it is still waiting, and must be told that it will not come."""
        self._selector.unregister(line)
        line.close()
        _remove(path)
        client.refuse(request.get("id"), "snapshot_failed", "it was dropped before it was taken")

    def _let_go(self, one):
        self._selector.unregister(one.line)
        one.line.close()
        _remove(one.path)
        del self._kept[one.snapshot_id]

    # --- letting loose

    def revive(self, client, request):
        """Lets a kernel loose on a copy of a snapshot, in the sandbox the request names.

        One that is to be ``held`` goes on when ``release`` says so.
        """
        request["op"] = "spawn"
        spawn.check(request)
        _require_text(request, "snapshot_id")
        one = self._kept.get(request["snapshot_id"])
        if one is None:
            client.refuse(request.get("id"), "no_such_snapshot", "snapshot %s is gone" % request["snapshot_id"])
            return
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        packed = luggage.Packed(request, writer)
        try:
            line = self._send(one, request, packed.descriptors)
        except OSError:
            os.close(reader)
            packed.forsake()
            raise
        finally:
            packed.sent()
        if request.get("held"):
            self._held[request["kernel_id"]] = packed, client
        else:
            packed.tell()
        self._nursery.expect(request, client, reader, line)

    def _send(self, one, request, given):
        house = request.get("housing", {})
        with lines.listen(os.path.join(request["directory"], "porter")) as orders, contextlib.ExitStack() as opened:
            sandbox = orders.fileno()
            if house:
                sandbox = os.pidfd_open(house["pid"])
                opened.callback(os.close, sandbox)
            groups = [opened.enter_context(housing.open_cgroup(folder)).fileno() for folder in house.get("cgroups", [])]
            return lines.order(one.path, lines.LOOSE, [orders.fileno(), sandbox] + groups + given, groups=len(groups))

    def release(self, client, request):
        """A copy that is held goes on, or ends."""
        _require_text(request, "kernel_id")
        packed, _ = self._held.pop(request["kernel_id"], (None, None))
        if packed is not None and request.get("go"):
            packed.tell()
        elif packed is not None:
            packed.forsake()
        client.answer(request.get("id"), released=packed is not None)

    def forsake(self, client):
        """Nobody is left who would release what this client holds."""
        for kernel_id in [kernel_id for kernel_id, (_, holder) in self._held.items() if holder is client]:
            self._held.pop(kernel_id)[0].forsake()

    def _order(self, request, orders):
        try:
            path = os.path.join(request["directory"], "porter")
            return lines.order(path, lines.SNAPSHOT, [orders.fileno()], porter.ticket(request["snapshot_id"]))
        except OSError as error:
            raise spawn.BadRequest("kernel %s cannot be copied: %s" % (request["kernel_id"], error)) from None

    def close_in_forked_child(self):
        for one in self._kept.values():
            one.line.close()
        for line, *_ in self._awaited.values():
            line.close()
        for packed, _ in self._held.values():
            packed.forsake()


def _require_text(request, *fields):
    for field in fields:
        if not isinstance(request.get(field), str) or not request[field]:
            raise spawn.BadRequest("%r must be text" % field)


def _started(said, house):
    """When who said hello was started; None if that was not what was said, or it is gone."""
    if said is None or said.word != lines.HELLO or (house is not None and not housing.is_of(said.pid, house)):
        return None
    try:
        return linux.start_time(said.pid)
    except OSError:
        return None


def _reason(said):
    if said is None or said.word != lines.FAILED:
        return "the process ended before it was copied"
    return os.strerror(said.number)


def _remove(path):
    try:
        os.unlink(path)
    except OSError:
        pass  # its directory is gone already
