"""What the caches of the build are worth: the same command with and without them."""

from ..bench import DIST
from ..husk import timed, uncached
from ..lines import Line, Sample

NAME = "startup"


def run(bench) -> list:
    bare = uncached(DIST, bench.folder())
    with bench.husk() as cached, bench.husk(bare) as plain:
        warm = [
            compare(bench.times(30, 3), what, lambda husk: husk.run(*arguments), cached, plain)
            for what, arguments in (
                ("`husk version`", ["version"]),
                ("`husk exec`, warm daemon", ["exec", "--name", "x", "1+1"]),
            )
        ]

    def cold(husk) -> None:
        husk.run("exec", "--name", "x", "1+1")

    what = "`husk exec`, daemon and kernel started by it"
    return [*warm, compare(bench.times(5, 1), what, cold, bench.husk(), bench.husk(bare), True)]


def compare(count: int, what: str, action, cached, plain, fresh: bool = False) -> Line:
    times = {cached: [], plain: []}
    for attempt in range(count + 1):
        for husk, taken in times.items():
            milliseconds = timed(lambda: action(husk))
            if attempt > 0:  # the first is to warm up
                taken.append(milliseconds)
            if fresh:
                husk.stop()
    return Line(
        NAME, what, Sample(times[cached]), "without the AOT caches", Sample(times[plain])
    )
