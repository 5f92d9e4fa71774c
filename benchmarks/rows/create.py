"""From asking for a kernel to its first result."""

from dataclasses import replace

from ..husk import Connection, check, timed
from ..lines import Line, Sample

NAME = "create"


def run(bench) -> list:
    ready_times, fresh_times, peer_times = [], [], []
    with bench.husk() as husk, bench.husk(HUSK_KERNEL_POOL="0") as unready, bench.peer("kernelbox_driver") as kernelbox:
        connection, without = husk.connect(), unready.connect()
        for i in range(bench.times(30, 3)):
            create(connection, f"warm-{i}")
            create(without, f"warm-{i}")
        for _ in range(bench.times(3, 1)):
            kernelbox.ask("create", code="1+1")
        for i in range(bench.times(50, 5)):
            ready_times.append(create(connection, f"fresh-{i}"))
            fresh_times.append(create(without, f"fresh-{i}"))
            peer_times.append(kernelbox.ask("create", code="1+1"))
        backend = used_backend(connection)
        connection.close()
        without.close()
    return lines(backend, Sample(ready_times), Sample(fresh_times), Sample(peer_times))


def lines(backend: str, ready: Sample, fresh: Sample, peer: Sample) -> list:
    what = f"create a kernel → first result, backend `{backend}`"
    line = Line(NAME, what, ready, "KernelBox", peer, "≥ 15x, median < 40 ms")
    held = line.ratio >= 15 and line.husk.value < 40
    notes = ["Husk over HTTP on one kept connection; KernelBox through its Python functions"]
    if backend == "host":
        notes.append("the target is for a bubblewrap sandbox; the backend here is `host`")
    else:
        notes.append("two kernels are kept ready, as is the default; `kernel-pool` 0 is the line without")
    return [
        replace(line, held=held, notes=notes),
        Line(NAME, f"{what}, no kernel kept ready", fresh, "KernelBox", peer, ""),
    ]


def create(connection: Connection, name: str) -> float:
    taken = timed(lambda: check(connection.execute(name, "1+1", create=True)))
    connection.destroy(name)
    return taken


def used_backend(connection: Connection) -> str:
    connection.execute("look", "1+1", create=True)
    (kernel,) = connection.ask("GET", "/kernels")["kernels"]
    connection.destroy("look")
    return kernel["backend"]
