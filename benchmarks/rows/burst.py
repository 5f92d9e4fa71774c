"""Many kernels asked for at the same moment."""

import concurrent.futures
import threading

from ..husk import check, timed
from ..lines import Line, Sample

NAME = "burst-100"
LIMIT = 3000


def run(bench) -> list:
    count = bench.times(100, 20)
    rounds = bench.times(5, 1)
    times, problems = [], []
    with bench.husk() as husk:
        connection = husk.connect()
        for i in range(bench.times(30, 3)):
            connection.execute(f"warm-{i}", "1+1", create=True)
            connection.destroy(f"warm-{i}")
        for i in range(rounds):
            for answer in burst(husk, [f"burst-{i}-{k}" for k in range(count)]):
                (times if isinstance(answer, float) else problems).append(answer)
            connection.ask("DELETE", "/kernels")
        connection.close()
    if not times:
        raise RuntimeError(f"not one of {count} succeeded: {problems[0]}")
    asked = rounds * count
    notes = [f"{len(times)} of {asked} succeeded, in {rounds} bursts of {count}"]
    notes += sorted(set(problems))[:5]
    sample = Sample(times, rank=99)
    line = Line(
        NAME,
        f"{count} kernels asked for at once, each → first result",
        sample,
        target="p99 < 3 s, 100 %",
        held=len(times) == asked and sample.value < LIMIT,
        notes=notes,
    )
    return [line]


def burst(husk, names: list) -> list:
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
            return timed(lambda: check(connection.execute(name, "1+1", create=True)))
        except Exception as problem:
            return f"{type(problem).__name__}: {problem}".replace(name, "NAME")
        finally:
            connection.close()

    with concurrent.futures.ThreadPoolExecutor(len(names)) as pool:
        return list(pool.map(create, names))
