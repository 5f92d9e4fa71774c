"""KernelBox through its Python functions, as its documentation shows them."""

import time

import kernelbox
from service import serve

made = 0
live = "live"


def create(code: str) -> float:
    """Milliseconds from asking for a kernel to its first result."""
    global made
    made += 1
    name = f"create-{made}"
    start = time.perf_counter()
    record = kernelbox.get_or_create(name)
    result = kernelbox.execute(record, code)
    taken = time.perf_counter() - start
    kernelbox.destroy(name)
    assert result.return_value == "2", result
    return taken * 1000


def execute(code: str, count: int) -> list:
    """Milliseconds of each of `count` executions on a kernel that is there."""
    record = kernelbox.get_or_create(live)
    times = []
    for _ in range(count):
        start = time.perf_counter()
        result = kernelbox.execute(record, code)
        times.append((time.perf_counter() - start) * 1000)
        assert result.return_value == "2", result
    return times


try:
    serve({"create": create, "execute": execute})
finally:
    kernelbox.destroy(live)
