"""Many kernels, and many sandboxes, asked for at the same moment."""

import concurrent.futures
import threading

from ..husk import Connection, check, timed
from ..lines import Line, Sample

NAME = "burst-100"
LIMIT = 3000


def run(bench) -> list:
    count = bench.times(100, 20)
    rounds = bench.times(5, 1)
    with bench.husk() as husk:
        connection = husk.connect()
        for i in range(bench.times(30, 3)):
            connection.execute(f"warm-{i}", "1+1", create=True)
            connection.destroy(f"warm-{i}")
        kernels = []
        for i in range(rounds):
            kernels += burst(husk, [f"burst-{i}-{k}" for k in range(count)], kernel)
            connection.ask("DELETE", "/kernels")
        sandboxes = []
        for i in range(rounds):
            sandboxes += burst(husk, [f"burst-{i}-{k}" for k in range(count)], sandbox)
            connection.ask("POST", "/sandboxes/clean", {"force": True})
        connection.close()
    return [
        line(kernels, f"{count} kernels asked for at once, each → first result", count),
        line(sandboxes, f"{count} sandboxes asked for at once, each → end of `true` in it", count),
    ]


def line(answers: list, what: str, count: int) -> Line:
    times = [answer for answer in answers if isinstance(answer, float)]
    problems = sorted({answer for answer in answers if not isinstance(answer, float)})
    if not times:
        raise RuntimeError(f"not one of {count} succeeded: {problems[0]}")
    notes = [f"{len(times)} of {len(answers)} succeeded, in {len(answers) // count} bursts of {count}: {what}"]
    sample = Sample(times, rank=99)
    held = len(times) == len(answers) and sample.value < LIMIT
    return Line(NAME, what, sample, target="p99 < 3 s, 100 %", held=held, notes=notes + problems[:5])


def kernel(connection: Connection, name: str) -> None:
    check(connection.execute(name, "1+1", create=True))


def sandbox(connection: Connection, name: str) -> None:
    connection.ask("POST", "/sandboxes", {"name": name})
    ended = connection.ask("POST", f"/sandboxes/{name}/exec", {"command": ["true"]})
    if ended["exit_code"] != 0:
        raise RuntimeError(f"true gave {ended}")


def burst(husk, names: list, ask) -> list:
    """For each name the milliseconds it took, or the problem."""
    ready = threading.Barrier(len(names))

    def create(name: str):
        try:
            connection = husk.connect()
        except OSError:
            ready.abort()
            raise
        try:
            ready.wait(60)
            return timed(lambda: ask(connection, name))
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}".replace(name, "NAME")
        finally:
            connection.close()

    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(create, names))
