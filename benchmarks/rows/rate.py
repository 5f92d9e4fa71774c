"""Sixteen kernels asked at once: how long a request takes when all are busy asking."""

import concurrent.futures
import time

from ..husk import check
from ..lines import Line, Sample
from ..served import Served

NAME = "rate-16"
KERNELS = 16


def run(bench) -> list:
    each = bench.times(100, 10)
    rest, ours, theirs = [], [], []
    with (
        Served(bench.husk()) as served,
        bench.peer("ipybox_driver") as mine,
        bench.peer("ipybox_driver") as other,
        concurrent.futures.ThreadPoolExecutor(KERNELS) as pool,
    ):
        mine.ask("connect", port=served.port, count=KERNELS)
        other.ask("connect", port=other.ask("gateway", limited=True), count=KERNELS)
        connections = [served.connect() for _ in range(KERNELS)]

        def over_rest(count: int) -> float:
            """Milliseconds of the whole; one connection and one kernel for each thread."""
            begin = time.perf_counter()
            jobs = [pool.submit(ask, c, f"rate-{i}", count) for i, c in enumerate(connections)]
            for job in jobs:
                job.result()
            return (time.perf_counter() - begin) * 1000

        over_rest(bench.times(200, 10))
        for driver in (mine, other):
            driver.ask("together", code="1+1", count=bench.times(30, 5))
        for _ in range(bench.times(7, 2)):
            rest.append(over_rest(each) / (each * KERNELS))
            for driver, times in ((mine, ours), (other, theirs)):
                whole = driver.ask("together", code="1+1", count=each)
                times.append(whole["ms"] / (each * KERNELS))
        for connection in connections:
            connection.close()
    return lines(rest, ours, theirs)


def ask(connection, name: str, count: int) -> None:
    for _ in range(count):
        check(connection.execute(name, "1+1"))


def lines(rest: list, ours: list, theirs: list) -> list:
    gateway = "ipybox's client on a Kernel Gateway"
    return [
        line(f"`1+1` on {KERNELS} kernels at once, each request, REST", rest, gateway, theirs),
        line(f"`1+1` on {KERNELS} kernels at once, ipybox's client", ours, gateway, theirs),
    ]


def line(what: str, husk: list, peer_name: str, peer: list) -> Line:
    ours, theirs = Sample(husk), Sample(peer)
    rates = (
        f"requests per second: {1000 / ours.value:,.0f} on Husk, {1000 / theirs.value:,.0f} there"
    )
    return Line(NAME, what, ours, peer_name, theirs, "faster", theirs.value > ours.value, [rates])
