"""Many clients on many kernels at once: nothing lost, nothing out of order, nothing mixed up."""

import concurrent.futures
import os

import pytest

import load
import rest

SECONDS = float(os.environ.get("HUSK_LOAD_SECONDS", 12))
CLIENTS = int(os.environ.get("HUSK_LOAD_CLIENTS", 200))
KERNELS = int(os.environ.get("HUSK_LOAD_KERNELS", 50))


@pytest.fixture
def kernels(server):
    """Made and ended by a few clients at a time."""
    url = f"{server.url}/api/kernels"
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: rest.ask("POST", url, {"name": "python3"}), range(KERNELS)))
        ids = [kernel["id"] for kernel in made]
        yield ids
        list(pool.map(lambda kernel: rest.ask("DELETE", f"{url}/{kernel}"), ids))


@pytest.mark.timeout(SECONDS + 2 * load.PATIENCE)
async def test_nothing_is_lost_or_reordered_with_many_clients_on_many_kernels(
    server, kernels, capsys
):
    returning = server.name == "husk"  # a stock gateway forgets who leaves others behind
    workers = [
        load.worker(server, number, kernels[number * KERNELS // CLIENTS], returning)
        for number in range(CLIENTS)
    ]
    await load.run(workers, SECONDS)
    with capsys.disabled():
        print("\n" + summary(workers))
    idle = [w.number for w in workers if not w.sent and not isinstance(w, load.Dawdler)]
    assert not idle, f"clients that did not get to ask anything: {idle}"


def summary(workers: list) -> str:
    cells = sum(worker.sent for worker in workers)
    taken = sorted(time for worker in workers for time in worker.taken)
    at = lambda share: 1000 * taken[min(int(len(taken) * share), len(taken) - 1)]  # noqa: E731
    return (
        f"{len(workers)} clients on {KERNELS} kernels for {SECONDS:g} s: "
        f"{cells:,} cells ({cells / SECONDS:.0f}/s), all replies and outputs in order; "
        f"{sum(worker.witness.messages for worker in workers):,} messages checked; "
        f"{sum(worker.returns for worker in workers)} returns with all that was missed "
        f"(and {sum(worker.witness.repeated for worker in workers):,} messages again); "
        f"{sum(isinstance(worker, load.Dawdler) for worker in workers)} slow readers; "
        f"cell to answer p50 {at(0.5):.0f} ms, p99 {at(0.99):.0f} ms, max {at(1):.0f} ms"
    )
