"""`1+1` on a kernel that is there, by every way there is to ask."""

from contextlib import ExitStack

from .. import java_programs
from ..husk import check, timed
from ..lines import Line, Sample

NAME = "execute"


def run(bench) -> list:
    problems = java_programs.compile_all()
    with ExitStack() as stack:
        husk = stack.enter_context(bench.husk())
        kernelbox = stack.enter_context(bench.peer("kernelbox_driver"))
        jupyter = stack.enter_context(bench.peer("jupyter_driver"))
        jupyter.ask("start")
        connection = husk.connect()
        connection.execute("http", "1+1", create=True)

        def over_http(count: int) -> list:
            return [timed(lambda: check(connection.execute("http", "1+1"))) for _ in range(count)]

        ways = {"http": over_http}
        # The core in-process has a home of its own, not the daemon's.
        places = {
            "CoreExecute": bench.husk_environment(bench.folder()),
            "SdkExecute": husk.environment,
        }
        for name, environment in places.items():
            if not problems[name]:
                program = stack.enter_context(java_programs.run(bench, name, environment))
                ways[name] = lambda count, program=program: program.ask("execute", count=count)
        ways["jupyter"] = lambda count: jupyter.ask("execute", code="1+1", count=count)
        ways["kernelbox"] = lambda count: kernelbox.ask("execute", code="1+1", count=count)
        times = measure(bench, ways)
    return lines(times, problems)


def measure(bench, ways: dict) -> dict:
    """In turns, some executions at a time."""
    for name, way in ways.items():
        if name in ("jupyter", "kernelbox"):
            way(bench.times(100, 20))
        else:  # Java compiles while it runs
            way(bench.times(3000, 300))
    times = {name: [] for name in ways}
    for _ in range(bench.times(20, 3)):
        for name, way in ways.items():
            times[name] += way(bench.times(50, 20))
    return times


def lines(times: dict, problems: dict) -> list:
    found = []
    java = (
        ("CoreExecute", "`1+1`, Java API in-process"),
        ("SdkExecute", "`1+1`, Java API through the daemon"),
    )
    for name, what in java:
        if name in times:
            found.append(line(what, times[name], "jupyter_client + ipykernel", times["jupyter"], 3))
    found.append(
        line(
            "`1+1`, HTTP over the Unix socket, from Python",
            times["http"],
            "KernelBox's Python API",
            times["kernelbox"],
            1,
            [f"{name} was left out: {problem}" for name, problem in problems.items() if problem],
        )
    )
    return found


def line(what: str, husk: list, peer_name: str, peer: list, least: int, notes: list = ()) -> Line:
    ours, theirs = Sample(husk), Sample(peer)
    held = theirs.value / ours.value >= least
    target = f"≥ {least}x" if least > 1 else "faster"
    return Line(NAME, what, ours, peer_name, theirs, target, held, notes)
