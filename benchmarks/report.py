"""The page with the table."""

from .lines import Line

PICTURE = "@PICTURE@"

HEADER = ("row", "what", "Husk", "beside it", "ratio", "target", "held")


def page(head: list, lines: list, failures: list, quick: bool) -> str:
    parts = ["# Benchmarks of Husk", ""]
    if quick:
        parts += ["**A quick run, to see that it works: too few repetitions to mean much.**", ""]
    parts += [f"- {name}: {value}" for name, value in head]
    parts += [
        "",
        "Medians [10th–90th percentile, minimum] unless a cell says otherwise. The ratio is what",
        "the other tool takes divided by what Husk takes. Within a row they took turns.",
        "",
        row(HEADER),
        row("---" for _ in HEADER),
        *[row(cells(line)) for line in lines],
        "",
        f"![The same as bars on a logarithmic scale]({PICTURE})",
        "",
    ]
    remarks = [f"- {line.row}: {note}" for line in lines for note in line.notes]
    if remarks:
        parts += ["## Remarks", "", *remarks, ""]
    if failures:
        parts += ["## Failed", "", *[f"- {failure}" for failure in failures], ""]
    return "\n".join(parts)


def row(texts) -> str:
    return "| " + " | ".join(text.replace("|", "\\|") for text in texts) + " |"


def cells(line: Line) -> tuple:
    return (
        line.row,
        line.what,
        str(line.husk),
        f"{line.peer_name}: {line.peer}" if line.peer else "—",
        f"{line.ratio:.1f}x" if line.ratio else "—",
        line.target or "—",
        {True: "yes", False: "**no**", None: "—"}[line.held],
    )


def summary(line: Line) -> str:
    """One line for the terminal."""
    _, what, husk, beside, ratio, target, held = cells(line)
    text = f"{what}: Husk {husk}"
    if line.peer:
        text += f"; {beside}; {ratio}"
    if line.target:
        text += f"; target {target}: {held.strip('*')}"
    return "\n    ".join([text, *line.notes])
