"""A figure of matplotlib as data: for each of its charts the type, the axes, and what was drawn."""

from . import log, rich_marks
from .rich_axis import Axis, text

_VERSION = 1
_MOST_CHARTS = 50
_MOST_SERIES = 100
_MOST_TICKS = 50


def of_figure(figure, points, total):
    """None for a figure with nothing in it.

    :param points: how many of one series are given
    :param total: how many of the whole figure, shared evenly by its series
    """
    axes = [ax for ax in figure.axes if ax.get_visible() and not _is_scale_of_colours(ax)]
    if not axes:
        return None
    shown = axes[:_MOST_CHARTS]
    marks = [_read(ax) for ax in shown]
    count = sum(min(len(found.series), _MOST_SERIES) for found in marks)
    share = max(2, min(points, total // max(1, count)))
    described = {"version": _VERSION, "charts": [_chart(ax, found, share) for ax, found in zip(shown, marks)]}
    title = text(getattr(figure, "_suptitle", None))
    if title:
        described["title"] = title
    if len(axes) > _MOST_CHARTS:
        described["truncated"] = True
    return described


def _is_scale_of_colours(ax):
    return ax.get_label() == "<colorbar>" or hasattr(ax, "_colorbar")


def _read(ax):
    try:
        return rich_marks.read(ax, Axis(ax, "x"), Axis(ax, "y"))
    except Exception:
        # What cannot be read is still a chart, with its title and axes.
        log.failure("reading a chart")
        return rich_marks.NOTHING


def _chart(ax, found, share):
    chart = {"type": found.type, "title": text(ax.title) or None}
    try:
        chart.update(_axes(ax, found.type))
        chart["elements"] = [series.described(share) for series in found.series[:_MOST_SERIES]]
    except Exception:
        log.failure("describing a chart")
        chart.update(type="unknown", elements=[])
    if len(found.series) > _MOST_SERIES:
        chart["truncated"] = True
    return chart


def _axes(ax, kind):
    x, y = Axis(ax, "x"), Axis(ax, "y")
    described = {"x_label": x.label(), "y_label": y.label(), "x_scale": x.scale(), "y_scale": y.scale()}
    if getattr(ax, "name", "rectilinear") != "rectilinear":
        described["projection"] = str(ax.name)
    if kind not in ("pie", "unknown"):
        described.update(x.ticks(_MOST_TICKS))
        described.update(y.ticks(_MOST_TICKS))
    described["legend"] = _legend(ax)
    return described


def _legend(ax):
    legend = ax.get_legend()
    return [text(entry) for entry in legend.get_texts()[:_MOST_SERIES]] if legend is not None else []
