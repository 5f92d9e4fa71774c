"""Copies of a living kernel: forks, checkpoints, rollbacks, transactional cells."""

import statistics
from dataclasses import replace

from ..husk import Connection, check, timed
from ..lines import Line, Sample

NAME = "fork"

_STATES = [
    ("1 MB of arrays", "x = bytearray(b'x') * 1_000_000"),
    ("300 MB of arrays", "x = bytearray(b'x') * 300_000_000"),
    ("1 GB of arrays, without a sandbox", "x = bytearray(b'x') * 1_000_000_000"),
    ("300 MB of small objects", "x = [(i, str(i)) for i in range(2_000_000)]"),
]


def run(bench) -> list:
    lines = []
    with bench.husk() as husk:
        connection = husk.connect()
        for what, code in _STATES:
            # A sandbox has less memory than that, unless it is asked for.
            options = {"backend": "host"} if "without" in what else {}
            connection.execute("original", code, create=True, options=options)
            for i in range(bench.times(5, 1)):
                fork(connection, "original", f"warm-{i}")
            times = [fork(connection, "original", f"fork-{i}") for i in range(bench.times(15, 3))]
            target = "< 50 ms" if what.startswith("300 MB of arrays") else ""
            line = Line(NAME, f"fork of a kernel with {what} → first result", Sample(times), "", None, target)
            lines.append(replace(line, held=line.husk.value < 50) if target else line)
            if what.startswith("300 MB of arrays"):
                lines += more(bench, connection)
            connection.destroy("original")
        connection.close()
    return lines


def fork(connection: Connection, original: str, name: str) -> float:
    def both():
        connection.ask("POST", f"/kernels/{original}/fork", {"as": name})
        connection.execute(name, "len(x)")

    taken = timed(both)
    connection.destroy(name)
    return taken


def more(bench, connection: Connection) -> list:
    eight, checkpoints, rollbacks, plain, transactional = [], [], [], [], []
    for i in range(bench.times(5, 2)):
        eight.append(timed(lambda: connection.ask("POST", "/kernels/original/fork", {"as": "eight", "count": 8})))
        for n in range(8):
            connection.destroy(f"eight-{n + 1}")
    for i in range(bench.times(15, 3)):
        label = {"label": f"c{i}"}
        checkpoints.append(timed(lambda: connection.ask("POST", "/kernels/original/checkpoints", label)))
        rollbacks.append(timed(lambda: connection.ask("POST", "/kernels/original/rollback", {"to": f"c{i}"})))
        connection.ask("DELETE", f"/kernels/original/checkpoints/c{i}")
        plain.append(timed(lambda: check(connection.execute("original", "1+1"))))
        transactional.append(timed(lambda: check(connection.execute("original", "1+1", rollback="on_error"))))
    both = Sample([a + b for a, b in zip(checkpoints, rollbacks)])
    together = Line(NAME, "checkpoint and rollback at 300 MB of arrays", both, "", None, "< 25 ms together at 500 MB")
    return [
        Line(NAME, "fork of 8 at 300 MB of arrays", Sample(eight), "", None, ""),
        replace(together, held=statistics.median(both.values) < 25),
        Line(NAME, "checkpoint alone", Sample(checkpoints), "", None, ""),
        Line(NAME, "rollback alone", Sample(rollbacks), "", None, ""),
        Line(NAME, "a transactional cell, 1+1", Sample(transactional), "the plain cell", Sample(plain), ""),
    ]
