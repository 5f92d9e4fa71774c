"""This Husk and another build of it by turns, to see what a change costs.

Two runs of one benchmark, one after the other, differ by more than most changes on a machine that others use too.
Here each operation is asked of one Husk and then of the other, so that whatever the machine does falls on both.
"""

import pathlib
import subprocess
import time

from .husk import timed
from .lines import Sample
from .processes import note
from .rows.fork import ARRAYS

_FILES = "import os\nfor i in range(10_000):\n os.makedirs(f'd{i % 100}', exist_ok=True)\n open(f'd{i % 100}/{i}', 'wb').write(os.urandom(1000))"


class Side:
    """One of the two, with a connection to its daemon."""

    def __init__(self, husk):
        self.husk = husk
        self.connection = husk.connect()
        self.ask = self.connection.ask
        self.execute = self.connection.execute
        self.destroy = self.connection.destroy


def compare(bench, other: pathlib.Path) -> None:
    with bench.husk(other) as before, bench.husk() as now:
        sides = Side(before), Side(now)
        for measure in (_run, _create, _sandbox, _fork_outside, _forks, _checkpoints, _files):
            measure(bench, sides)
        for side in sides:
            side.connection.close()


def _by_turns(bench, sides, what: str, operation, times: int) -> None:
    """`operation` is given a side and a fresh name, and gives milliseconds."""
    for i in range(bench.times(5, 1)):
        for side in sides:
            operation(side, f"w{i}")
    found = {side: [] for side in sides}
    for i in range(bench.times(times, 2)):
        for side in sides if i % 2 else reversed(sides):
            found[side].append(operation(side, f"m{i}"))
            time.sleep(0.03)
    _say(what, *found.values())


def _say(what: str, before: list, now: list) -> None:
    change = Sample(now).value / Sample(before).value - 1
    note(f"  {what}: {Sample(before)} → {Sample(now)}; {change:+.0%}")


def _run(bench, sides) -> None:
    def once(side, _):
        return timed(lambda: side.husk.run("run", "true"))

    _by_turns(bench, sides, "`husk run true` from a shell", once, 30)


def _create(bench, sides) -> None:
    def once(side, name):
        taken = timed(lambda: side.execute(name, "1+1", create=True))
        side.destroy(name)
        time.sleep(0.12)  # another has to become ready
        return taken

    _by_turns(bench, sides, "create a kernel → first result", once, 50)


def _sandbox(bench, sides) -> None:
    def once(side, name):
        taken = timed(lambda: side.ask("POST", "/sandboxes", {"name": name}))
        side.ask("DELETE", f"/sandboxes/{name}")
        return taken

    _by_turns(bench, sides, "create a sandbox", once, 50)


def _fork(side, name):
    def both():
        side.ask("POST", "/kernels/original/fork", {"as": name})
        side.execute(name, "len(x)")

    taken = timed(both)
    side.destroy(name)
    time.sleep(0.05)
    return taken


def _fork_outside(bench, sides) -> None:
    for side in sides:
        side.execute("original", ARRAYS.format(1_000_000), create=True, options={"backend": "host"})
    _by_turns(bench, sides, "fork, without a sandbox → first result", _fork, 25)
    for side in sides:
        side.destroy("original")


def _forks(bench, sides) -> None:
    def eight(side, _):
        taken = timed(lambda: side.ask("POST", "/kernels/original/fork", {"as": "eight", "count": 8}))
        for n in range(8):
            side.destroy(f"eight-{n + 1}")
        return taken

    def best(side, _):
        request = {"codes": [f"y = {n}" for n in range(5)], "score": "y"}
        return timed(lambda: side.ask("POST", "/kernels/original/best-of", request))

    for side in sides:
        side.execute("original", ARRAYS.format(300_000_000), create=True)
    _by_turns(bench, sides, "fork at 300 MB → first result", _fork, 25)
    _by_turns(bench, sides, "fork of 8 at 300 MB", eight, 15)
    _by_turns(bench, sides, "best of 5 at 300 MB", best, 15)
    for side in sides:
        side.destroy("original")


def _checkpoints(bench, sides) -> None:
    def there(side, label):
        return timed(lambda: side.ask("POST", "/kernels/k/checkpoints", {"label": label}))

    def back(side, label):
        there(side, label)
        taken = timed(lambda: side.ask("POST", "/kernels/k/rollback", {"to": label}))
        side.ask("DELETE", f"/kernels/k/checkpoints/{label}")
        return taken

    def transactional(side, _):
        return timed(lambda: side.execute("k", "1+1", rollback="on_error"))

    for side in sides:
        side.execute("k", ARRAYS.format(300_000_000), create=True)
    _by_turns(bench, sides, "checkpoint at 300 MB", lambda side, label: _dropped(side, label, there), 25)
    _by_turns(bench, sides, "rollback at 300 MB", back, 25)
    _by_turns(bench, sides, "a transactional cell, 1+1", transactional, 25)
    for side in sides:
        side.destroy("k")


def _dropped(side, label: str, there) -> float:
    taken = there(side, label)
    side.ask("DELETE", f"/kernels/k/checkpoints/{label}")
    return taken


def _files(bench, sides) -> None:
    """Homes are on a disk that slows down after many removals: the first one is looked at least."""

    def first(side, name):
        side.execute(name, _FILES, create=True)
        taken = timed(lambda: side.ask("POST", f"/kernels/{name}/checkpoints", {"label": "a"}))
        side.destroy(name)
        return taken

    def later(side, label):
        side.execute("k", f"open('d0/0', 'wb').write(b'{label}')")
        return _dropped(side, label, lambda s, l: timed(lambda: s.ask("POST", "/kernels/k/checkpoints", {"label": l})))

    def back(side, _):
        side.execute("k", "open('d0/0', 'wb').write(b'changed')")
        return timed(lambda: side.ask("POST", "/kernels/k/rollback", {"to": "base"}))

    for side in sides:
        side.execute("k", _FILES, create=True)
        side.ask("POST", "/kernels/k/checkpoints", {"label": "base"})
    _by_turns(bench, sides, "a later checkpoint with 10,000 files", later, 15)
    _by_turns(bench, sides, "rollback of one of 10,000 files", back, 15)
    for side in sides:
        side.destroy("k")
    _by_turns(bench, sides, "first checkpoint with 10,000 files", first, 4)


def is_dist(path: pathlib.Path) -> bool:
    return (path / "bin/husk").is_file() and subprocess.run([path / "bin/husk", "version"], capture_output=True, check=False).returncode == 0
