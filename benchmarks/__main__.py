"""Runs the rows, one after the other, and writes what they found."""

import argparse
import contextlib
import datetime
import pathlib
import shlex
import signal
import sys

from . import against, machine, plot, report, rows
from .bench import ROOT, Bench
from .processes import note


def main() -> int:
    options = arguments()
    for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, interrupt)
    if options.against:
        return by_turns(options)
    head = machine.describe(shlex.join(["./bench", *sys.argv[1:]]))
    lines, failures = [], []
    try:
        with Bench(options.quick) as bench:
            for name in options.rows or rows.ALL:
                note(f"{name} …")
                try:
                    found = rows.ALL[name].run(bench)
                except Exception as problem:  # the other rows are still worth having
                    failures.append(f"{name}: {type(problem).__name__}: {problem}")
                    note(f"{name} failed: {problem}")
                else:
                    lines += found
                    for line in found:
                        note(f"  {report.summary(line)}")
            failures += [f"left behind: {name}" for name in bench.left_behind]
    except KeyboardInterrupt:
        note("interrupted; everything was stopped")
        return 130
    head += [("Load after", machine.load())]
    folder = write(options, report.page(head, lines, failures, options.quick), plot.draw(lines))
    note(f"written to {folder}")
    return 1 if failures else 0


def by_turns(options: argparse.Namespace) -> int:
    try:
        with Bench(options.quick) as bench:
            against.compare(bench, options.against.resolve())
    except KeyboardInterrupt:
        note("interrupted; everything was stopped")
        return 130
    for name in bench.left_behind:
        note(f"left behind: {name}")
    return 1 if bench.left_behind else 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./bench", description="Measure Husk beside its peers.")
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(rows.ALL))
    parser.add_argument("--quick", action="store_true", help="few repetitions; not a result")
    parser.add_argument("--output", type=pathlib.Path, metavar="DIR", help="where to write")
    parser.add_argument("--against", type=pathlib.Path, metavar="DIST", help="this Husk and another build (its app/target/husk) by turns")
    options = parser.parse_args()
    if options.against and not against.is_dist(options.against):
        parser.error(f"there is no built Husk in `{options.against}`")
    for name in options.rows:
        if name not in rows.ALL:
            parser.error(f"there is no row `{name}`; there are {', '.join(rows.ALL)}")
    return options


def interrupt(*_) -> None:
    raise KeyboardInterrupt


def write(options: argparse.Namespace, page: str, picture: str) -> pathlib.Path:
    """Only whole runs are results; others go where they cannot be taken for one."""
    whole = not options.quick and not options.rows
    folder = options.output or (ROOT / "benchmarks/results" if whole else ROOT / ".check/bench")
    folder.mkdir(parents=True, exist_ok=True)
    date = datetime.date.today().isoformat()
    for name in (date, "latest"):
        (folder / f"{name}.svg").write_text(picture, encoding="utf-8")
        text = page.replace(report.PICTURE, f"{name}.svg")
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    with contextlib.suppress(ValueError):
        folder = folder.relative_to(ROOT)
    return folder


if __name__ == "__main__":
    sys.exit(main())
