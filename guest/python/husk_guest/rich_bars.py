"""Bars, and the bars of histograms."""

from .rich_axis import label_of
from .rich_series import Series


def read(ax, x, y):
    histogram = is_histogram(ax)
    bars = [_bars(held, x, y, histogram) for held in _containers(ax)]
    return bars + [_steps(patch, x, y) for patch in _outlines(ax)]


def is_histogram(ax):
    """The bars of a histogram touch each other, side by side."""
    containers = _containers(ax)
    return bool(_outlines(ax)) or (bool(containers) and all(_touch(held) for held in containers))


def _containers(ax):
    return [held for held in ax.containers if type(held).__name__ == "BarContainer" and len(held.patches)]


def _outlines(ax):
    """What ``stairs`` draws."""
    return [patch for patch in ax.patches if type(patch).__name__ == "StepPatch"]


class _Bar:
    """A rectangle as a bar: from ``start`` to ``end`` along the axis it stands on, ``value`` high above ``base``."""

    def __init__(self, patch, sideways):
        place, extent = (patch.get_x(), patch.get_y()), (patch.get_width(), patch.get_height())
        along, across = (1, 0) if sideways else (0, 1)
        self.start = float(place[along])
        self.end = self.start + float(extent[along])
        self.base = float(place[across])
        self.value = float(extent[across])


def _bars(held, x, y, histogram):
    sideways = _lies(held)
    along, across = (y, x) if sideways else (x, y)

    def described(index):
        bar = _Bar(held.patches[index], sideways)
        if histogram:
            return {"from": along.value(bar.start), "to": along.value(bar.end), "value": across.value(bar.value)}
        told = {"label": along.name_at((bar.start + bar.end) / 2), "value": across.value(bar.value)}
        return dict(told, base=across.value(bar.base)) if bar.base else told

    orientation = "horizontal" if sideways else "vertical"
    return Series(label_of(held), "bars", len(held.patches), described, orientation=orientation)


def _steps(patch, x, y):
    values, edges, _ = patch.get_data()

    def described(index):
        start, end = float(edges[index]), float(edges[index + 1])
        return {"from": x.value(start), "to": x.value(end), "value": y.value(float(values[index]))}

    return Series(label_of(patch), "bars", len(values), described, orientation="vertical")


def _lies(held):
    return getattr(held, "orientation", None) == "horizontal"


def _touch(held):
    bars = [_Bar(patch, _lies(held)) for patch in held.patches]
    gaps = [abs(following.start - bar.end) / (abs(bar.end - bar.start) or 1) for bar, following in zip(bars, bars[1:])]
    return bool(gaps) and max(gaps) < 1e-6
