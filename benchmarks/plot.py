"""The picture: a bar of Husk's beside one of the other tool's, on a logarithmic scale."""

import html
import itertools
import math

from .lines import Sample, amount

WIDTH = 1000
LEFT = 320  # where the bars begin
RIGHT = 760  # where the scale ends; values are written behind the bars
BAR = 13
GROUP = 2 * BAR + 20
HUSK = "#1f6f54"
PEER = "#c98b3c"
INK = "#222222"
FAINT = "#dddddd"


def draw(lines: list) -> str:
    body, y = [], 30
    body.append(text(20, y, "Husk, and what it is compared with (shorter is better)", 16, "bold"))
    y += 24
    body += legend(y)
    y += 26
    by_unit = sorted(lines, key=lambda line: line.husk.unit != "ms")
    for unit, panel in itertools.groupby(by_unit, key=lambda line: line.husk.unit):
        drawn, y = draw_panel(unit, list(panel), y)
        body += drawn
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" '
            f'viewBox="0 0 {WIDTH} {y}" font-family="Helvetica, Arial, sans-serif">',
            f'<rect width="{WIDTH}" height="{y}" fill="#ffffff"/>',
            *body,
            "</svg>",
            "",
        ]
    )


def legend(y: int) -> list:
    return [
        box(20, y - 10, 12, 12, HUSK),
        text(38, y, "Husk", 12),
        box(90, y - 10, 12, 12, PEER),
        text(108, y, "the other tool; the thin line goes from the 10th to the 90th percentile", 12),
    ]


def draw_panel(unit: str, lines: list, top: int) -> tuple:
    samples = [sample for line in lines for sample in (line.husk, line.peer) if sample]
    scale = Scale(samples)
    names = {"ms": "milliseconds", "MB": "megabytes"}
    bottom = top + 34 + GROUP * len(lines)
    parts = [text(20, top + 14, names.get(unit, unit), 13, "bold")]
    for power in range(scale.low, scale.high + 1):
        x = scale.x(10.0**power)
        parts.append(rule(x, top + 22, x, bottom - 6, FAINT))
        parts.append(text(x, top + 16, label(power), 11, anchor="middle"))
    y = top + 30
    for line in lines:
        parts.append(text(LEFT - 10, y + BAR, line.row, 12, "bold", "end"))
        parts.append(text(LEFT - 10, y + 2 * BAR + 3, shortened(line.what), 11, anchor="end"))
        parts += bar(scale, line.husk, y, HUSK, "Husk")
        if line.peer:
            parts += bar(scale, line.peer, y + BAR + 2, PEER, line.peer_name)
        y += GROUP
    return parts, bottom + 14


class Scale:
    """Whole powers of ten around everything that is drawn."""

    def __init__(self, samples: list):
        ends = [end for sample in samples for end in (sample.value, *sample.spread) if end > 0]
        self.low = math.floor(math.log10(min(ends, default=1)) - 0.05)
        self.high = max(math.ceil(math.log10(max(ends, default=10))), self.low + 1)

    def x(self, value: float) -> float:
        share = (math.log10(max(value, 10.0**self.low)) - self.low) / (self.high - self.low)
        return LEFT + share * (RIGHT - LEFT)


def bar(scale: Scale, sample: Sample, y: int, colour: str, name: str) -> list:
    end = scale.x(sample.value)
    low, high = (scale.x(value) for value in sample.spread)
    middle = y + BAR / 2
    written = amount(sample.value, sample.unit)
    if sample.rank != 50:
        written += f" (p{sample.rank:g})"
    return [
        box(LEFT, y, max(end - LEFT, 1), BAR, colour),
        rule(low, middle, high, middle, INK),
        text(max(end, high) + 6, y + BAR - 2, f"{name}: {written}".replace("`", ""), 11),
    ]


def label(power: int) -> str:
    return f"{10 ** power:,}" if power >= 0 else f"{10.0 ** power:g}"


def shortened(words: str) -> str:
    words = words.replace("`", "")
    return words if len(words) <= 46 else words[:45] + "…"


def box(x: float, y: float, width: float, height: float, colour: str) -> str:
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" fill="{colour}"/>'


def rule(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}"/>'


def text(
    x: float, y: float, words: str, size: int, weight: str = "normal", anchor: str = "start"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}" fill="{INK}">{html.escape(words)}</text>'
    )
