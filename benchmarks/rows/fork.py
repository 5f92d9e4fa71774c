"""Forks of a living kernel, with what it holds."""

from dataclasses import replace

from .. import processes
from ..husk import Connection, timed
from ..lines import Line, Sample

NAME = "fork"

ARRAYS = "x = bytearray(b'x') * {}"
_STATES = [
    ("1 MB of arrays", ARRAYS.format(1_000_000)),
    ("300 MB of arrays", ARRAYS.format(300_000_000)),
    ("1 GB of arrays, without a sandbox", ARRAYS.format(1_000_000_000)),
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
            lines += of_one(bench, connection, what)
            if what == "300 MB of arrays":
                lines += [of_eight(bench, connection, what), best_of_five(bench, connection, what)]
            connection.destroy("original")
        connection.close()
    return lines


def of_one(bench, connection: Connection, what: str) -> list:
    for i in range(bench.times(5, 1)):
        fork(connection, f"warm-{i}")
    forks = [fork(connection, f"fork-{i}") for i in range(bench.times(15, 3))]
    target = "< 50 ms" if what == "300 MB of arrays" else ""
    line = Line(NAME, f"fork of a kernel with {what} → first result", Sample([taken for taken, _ in forks]), target=target)
    memory = Sample([private for _, private in forks], "MB")
    return [
        replace(line, held=line.husk.value < 50) if target else line,
        Line(NAME, f"private memory of that fork, {what}", memory),
    ]


def fork(connection: Connection, name: str) -> tuple:
    """(milliseconds until its first result, MB that it shares with nobody)."""

    def both():
        connection.ask("POST", "/kernels/original/fork", {"as": name})
        connection.execute(name, "len(x)")

    taken = timed(both)
    private = processes.rollup(connection.ask("GET", f"/kernels/{name}")["kernel"]["pid"])["private"]
    connection.destroy(name)
    return taken, private


def of_eight(bench, connection: Connection, what: str) -> Line:
    times = []
    for _ in range(bench.times(5, 2)):
        times.append(timed(lambda: connection.ask("POST", "/kernels/original/fork", {"as": "eight", "count": 8})))
        for n in range(8):
            connection.destroy(f"eight-{n + 1}")
    return Line(NAME, f"fork of 8 at {what}", Sample(times))


def best_of_five(bench, connection: Connection, what: str) -> Line:
    request = {"codes": [f"y = {n}" for n in range(5)], "score": "y"}
    times = [timed(lambda: connection.ask("POST", "/kernels/original/best-of", request)) for _ in range(bench.times(5, 2))]
    line = Line(NAME, f"best of 5 at {what}", Sample(times), target="< 1 s")
    return replace(line, held=line.husk.value < 1000)
