"""Many idle kernels at once: what each of them costs, and whether they all still answer."""

import collections
import concurrent.futures
import threading
import time

from .. import processes
from ..husk import check
from ..lines import Line, Sample
from ..processes import note

NAME = "live-1000"
CLIENTS = 8
ROOM = 15  # MB that there should be for each kernel, so as not to fill the machine
LARGEST = 10


def run(bench) -> list:
    wanted = bench.times(1000, 50)
    count = min(wanted, int(processes.available_mb() * 0.8 / ROOM))
    with bench.husk() as husk, bench.peer("jupyter_driver") as jupyter:
        before = processes.rss(husk.daemon_pid())
        names = [f"live-{i}" for i in range(count)]
        created, seconds, failed = everyone(husk, names, create=True)
        note(f"  {created} of {count} kernels in {seconds:.0f} s")
        ours, warm_parents = kernels_memory(husk)
        daemon = processes.rss(husk.daemon_pid())
        walls = sandboxes_memory(husk)
        answering, asked_seconds, silent = everyone(husk, names, create=False)
        theirs = peers_memory(jupyter, bench.times(10, 3))
        destroy_start = time.perf_counter()
        husk.stop()
        stop_seconds = time.perf_counter() - destroy_start
    each = [memory["private"] for memory in ours]
    private = Sample(each, "MB")
    everybody = answering == wanted and len(ours) == wanted
    pss = Sample([memory["pss"] for memory in ours], "MB")
    notes = [
        f"{created} of {wanted} created in {seconds:.1f} s by {CLIENTS} clients; "
        f"{answering} answered `1+1` afterwards, in {asked_seconds:.1f} s; "
        f"ended with the daemon in {stop_seconds:.1f} s",
        f"proportional share (Pss) of each kernel: {pss}",
        f"daemon's RSS: {before:.0f} MB before, {daemon:.0f} MB with them; "
        f"warm parent's RSS: {', '.join(f'{size:.0f} MB' for size in warm_parents)}",
    ]
    if walls:
        notes.append(f"private memory of what holds each kernel's sandbox: {Sample(walls, 'MB')}")
    if count < wanted:
        notes.append(f"the machine has memory for no more than {count}")
    problems = (failed + silent).most_common(5)
    notes += [f"{times} times: {problem}" for problem, times in problems]
    line = Line(
        NAME,
        f"private memory of each of {len(ours):,} live idle kernels",
        private,
        "ipykernel",
        Sample([memory["private"] for memory in theirs], "MB"),
        f"< {LARGEST} MB each, all answering",
        max(each) < LARGEST and everybody,
        notes,
    )
    return [line]


def everyone(husk, names: list, create: bool) -> tuple:
    """Has every kernel compute 1+1: how many did, the seconds that took, and the problems."""
    local = threading.local()
    connections = []

    def ask(name: str) -> str:
        if not hasattr(local, "connection"):
            local.connection = husk.connect()
            connections.append(local.connection)
        try:
            check(local.connection.execute(name, "1+1", create))
            return ""
        except Exception as problem:
            local.connection.close()
            del local.connection
            return f"{type(problem).__name__}: {problem}".replace(name, "NAME")

    start = time.perf_counter()
    with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
        answers = list(pool.map(ask, names))
    seconds = time.perf_counter() - start
    for connection in connections:
        connection.close()
    problems = collections.Counter(answer for answer in answers if answer)
    return len(names) - sum(problems.values()), seconds, problems


def kernels_memory(husk) -> tuple:
    """Of each kernel with what it has started; and the RSS of the processes they come from."""
    connection = husk.connect()
    pids = [k["pid"] for k in connection.ask("GET", "/kernels")["kernels"] if k["pid"]]
    connection.close()
    children = processes.families()
    memories = []
    for pid in pids:
        parts = [processes.rollup(part) for part in [pid, *processes.descendants(pid, children)]]
        memories.append({key: sum(part[key] for part in parts) for key in parts[0]})
    return memories, [processes.rss(pid) for pid in processes.of(husk.folder) if processes.name(pid) == "husk-zygote"]


def sandboxes_memory(husk) -> list:
    """Of each sandbox without what lives in it: its first process, and the one that watches over it."""
    connection = husk.connect()
    pids = [s["pid"] for s in connection.ask("GET", "/sandboxes")["sandboxes"] if s["pid"]]
    connection.close()
    return [sum(processes.rollup(part)["private"] for part in (pid, processes.parent(pid))) for pid in pids]


def peers_memory(jupyter, count: int) -> list:
    pids = []
    for _ in range(count):
        pids.append(jupyter.ask("start"))
        jupyter.ask("execute", code="1+1", count=1)
    return [processes.rollup(pid) for pid in pids]
