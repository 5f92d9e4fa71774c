"""`1+1` over TCP, as KernelBox's and ipybox's users ask for it, beside what they have today."""

from contextlib import ExitStack

from ..husk import check, timed
from ..lines import Line, Sample
from ..served import Served

NAME = "http"


def run(bench) -> list:
    with ExitStack() as stack:
        served = stack.enter_context(Served(bench.husk()))
        kernelbox = stack.enter_context(bench.peer("kernelbox_driver"))
        ours = stack.enter_context(bench.peer("ipybox_driver"))
        theirs = stack.enter_context(bench.peer("ipybox_driver"))
        ours.ask("connect", port=served.port, count=1)
        theirs.ask("connect", port=theirs.ask("gateway", limited=True), count=1)
        connection = served.connect()
        connection.execute("http", "1+1")
        lost = {"ours": 0, "theirs": 0}

        def over_rest(count: int) -> list:
            return [timed(lambda: check(connection.execute("http", "1+1"))) for _ in range(count)]

        def by_ipybox(name: str, driver, count: int) -> list:
            answer = driver.ask("execute", code="1+1", count=count)
            lost[name] += answer["lost"]
            return answer["ms"]

        times = measure(
            bench,
            {
                "rest": over_rest,
                "ours": lambda count: by_ipybox("ours", ours, count),
                "theirs": lambda count: by_ipybox("theirs", theirs, count),
                "kernelbox": lambda count: kernelbox.ask("execute", code="1+1", count=count),
            },
        )
        connection.close()
    return lines(times, lost)


def measure(bench, ways: dict) -> dict:
    """In turns, some executions at a time."""
    for name, way in ways.items():
        way(bench.times(3000 if name == "rest" else 1000 if name == "ours" else 100, 20))
    times = {name: [] for name in ways}
    for _ in range(bench.times(20, 3)):
        for name, way in ways.items():
            times[name] += way(bench.times(50, 20))
    return times


def lines(times: dict, lost: dict) -> list:
    values = (
        f"values the client was not given: {lost['ours']} on Husk, {lost['theirs']} on the gateway"
    )
    gateway = "ipybox's client on a Kernel Gateway"
    rest = "`1+1`, REST over TCP, from Python"
    return [
        line(rest, times["rest"], "KernelBox's Python API", times["kernelbox"]),
        line(rest, times["rest"], gateway, times["theirs"]),
        line("`1+1`, ipybox's client on Husk", times["ours"], gateway, times["theirs"], [values]),
    ]


def line(what: str, husk: list, peer_name: str, peer: list, notes: list = ()) -> Line:
    ours, theirs = Sample(husk), Sample(peer)
    return Line(NAME, what, ours, peer_name, theirs, "faster", theirs.value > ours.value, notes)
