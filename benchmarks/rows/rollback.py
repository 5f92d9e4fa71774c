"""Checkpoints and rollbacks: of memory, of files, and around a cell."""

from dataclasses import replace

from ..husk import Connection, check, timed
from ..lines import Line, Sample
from .fork import ARRAYS

NAME = "rollback"

_FILES = [
    (
        "10,000 files of 1 KB",
        "import os\nfor i in range(10_000):\n os.makedirs(f'd{i % 100}', exist_ok=True)\n open(f'd{i % 100}/{i}', 'wb').write(os.urandom(1000))",
        "open('d0/0', 'wb').write(b'changed')",
    ),
    (
        "1 GB of files",
        "import os\nfor i in range(64):\n open(f'f{i}', 'wb').write(os.urandom(16_000_000))",
        "open('f0', 'r+b').write(b'changed')",
    ),
]


def run(bench) -> list:
    with bench.husk() as husk:
        connection = husk.connect()
        lines = of_memory(bench, connection)
        for what, make, change in _FILES:
            lines += of_files(bench, connection, what, make, change)
        connection.close()
    return lines


def of_memory(bench, connection: Connection) -> list:
    connection.execute("k", ARRAYS.format(500_000_000), create=True)
    for i in range(bench.times(5, 1)):
        there_and_back(connection, f"warm-{i}")
    both = [there_and_back(connection, f"c{i}") for i in range(bench.times(15, 3))]
    plain, transactional = [], []
    for _ in range(bench.times(15, 3)):
        plain.append(timed(lambda: check(connection.execute("k", "1+1"))))
        transactional.append(timed(lambda: check(connection.execute("k", "1+1", rollback="on_error"))))
    connection.destroy("k")
    together = Line(NAME, "checkpoint and rollback at 500 MB of arrays", Sample([sum(one) for one in both]), target="< 25 ms")
    return [
        replace(together, held=together.husk.value < 25),
        Line(NAME, "checkpoint alone", Sample([one[0] for one in both])),
        Line(NAME, "rollback alone", Sample([one[1] for one in both])),
        Line(NAME, "a transactional cell, 1+1", Sample(transactional), "the plain cell", Sample(plain)),
    ]


def there_and_back(connection: Connection, label: str, change: str = "") -> tuple:
    """Milliseconds for each way."""
    there = timed(lambda: connection.ask("POST", "/kernels/k/checkpoints", {"label": label}))
    if change:
        connection.execute("k", change)
    back = timed(lambda: connection.ask("POST", "/kernels/k/rollback", {"to": label}))
    connection.ask("DELETE", f"/kernels/k/checkpoints/{label}")
    return there, back


def of_files(bench, connection: Connection, what: str, make: str, change: str) -> list:
    connection.execute("k", make, create=True)
    first = timed(lambda: connection.ask("POST", "/kernels/k/checkpoints", {"label": "first"}))
    both = [there_and_back(connection, f"c{i}", change) for i in range(bench.times(7, 2))]
    connection.destroy("k")
    return [
        Line(NAME, f"first checkpoint with {what}", Sample([first]), notes=["everything is copied once"]),
        Line(NAME, f"a later one, {what}", Sample([one[0] for one in both]), notes=["one file has changed since"]),
        Line(NAME, f"rollback of one file, {what}", Sample([one[1] for one in both])),
    ]
