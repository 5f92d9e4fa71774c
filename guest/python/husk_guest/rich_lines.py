"""Lines and clouds of points."""

from .rich_axis import label_of
from .rich_series import Series

_NO_LINE = ("None", "none", "", " ")


def lines(ax, x, y):
    labels, decoration = _of_containers(ax)
    found = []
    for line in ax.lines:
        if line.get_visible() and id(line) not in decoration:
            label = labels.get(id(line), label_of(line))
            found.append(_reference(ax, line, label, x, y) or _line(line, label, x, y))
    return found


def clouds(ax, x, y):
    found = []
    for cloud in ax.collections:
        if type(cloud).__name__ == "PathCollection" and cloud.get_visible():
            offsets = cloud.get_offsets()
            found.append(Series(label_of(cloud), "points", len(offsets), _point_of(offsets, x, y)))
    return found


def _of_containers(ax):
    """Lines that belong to something: error bars and stems carry the label, and draw more than the data."""
    labels, decoration = {}, set()
    for held in ax.containers:
        kind = type(held).__name__
        if kind == "ErrorbarContainer":
            data, caps, _ = held.lines
            decoration.update(id(cap) for cap in caps)
        elif kind == "StemContainer":
            data = held.markerline
            decoration.add(id(held.baseline))
        else:
            continue
        labels[id(data)] = label_of(held)
    return labels, decoration


def _line(line, label, x, y):
    xs = _coordinates(line.get_xdata(), line.get_xdata(False))
    ys = _coordinates(line.get_ydata(), line.get_ydata(False))

    def point(index):
        return [x.value(xs[index]), y.value(ys[index])]

    connected = line.get_linestyle() not in _NO_LINE
    return Series(label, "points", min(len(xs), len(ys)), point, connected)


def _coordinates(given, numbers):
    """As they were given if they are dates or names, otherwise as matplotlib's numbers, which are quick to read."""
    kind = getattr(getattr(given, "dtype", None), "kind", None)
    if kind in ("M", "U", "O") and len(given) == len(numbers):
        return getattr(given, "array", given)
    return numbers


def _reference(ax, line, label, x, y):
    """What axhline and axvline draw spans the chart, whatever its own coordinates say."""
    transform = line.get_transform()
    if transform == ax.get_yaxis_transform(which="grid"):
        level = y.value(line.get_ydata()[0])
        ends = [[x.value(float(end)), level] for end in x.limits()]
    elif transform == ax.get_xaxis_transform(which="grid"):
        level = x.value(line.get_xdata()[0])
        ends = [[level, y.value(float(end))] for end in y.limits()]
    else:
        return None
    return Series(label, "points", 2, ends.__getitem__)


def _point_of(offsets, x, y):
    def point(index):
        place = offsets[index]
        if hasattr(place, "filled"):
            place = place.filled(float("nan"))
        return [x.value(float(place[0])), y.value(float(place[1]))]

    return point
