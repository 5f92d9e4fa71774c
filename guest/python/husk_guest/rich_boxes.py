"""Box plots: matplotlib draws them as loose lines, so they are put together again by where the lines are."""

from collections import namedtuple

_Line = namedtuple("_Line", "xs ys connected")
_Box = namedtuple("_Box", "left right low high")

_MOST_OUTLIERS = 100
_MOST_BOXES = 500


def read(ax, x, y):
    """Every box drawn in these axes; none unless there are boxes with a median and whiskers."""
    outlines = [_points(line) for line in ax.lines if len(line.get_xdata()) == 5] + _filled(ax)
    outlines = [outline for outline in outlines if _is_rectangle(outline)][:_MOST_BOXES]
    if not outlines:
        return []
    lines = [_points(line) for line in ax.lines if len(line.get_xdata()) == 2 or not _is_connected(line)]
    upright = _assembled(outlines, lines, x, y)
    return upright or _assembled(_turned(outlines), _turned(lines), y, x)


def _points(line):
    return _Line(_numbers(line.get_xdata(False)), _numbers(line.get_ydata(False)), _is_connected(line))


def _is_connected(line):
    return line.get_linestyle() not in ("None", "none", "", " ")


def _numbers(values):
    return [float(value) for value in values[:10000]]


def _filled(ax):
    """Boxes that are filled are patches."""
    corners = [patch.get_path().vertices for patch in ax.patches if type(patch).__name__ == "PathPatch"]
    return [_Line(_numbers(c[:5, 0]), _numbers(c[:5, 1]), True) for c in corners if len(c) in (5, 6)]


def _is_rectangle(line):
    return len(set(line.xs)) == 2 and len(set(line.ys)) <= 2 or len(set(line.xs)) <= 2 and len(set(line.ys)) == 2


def _turned(lines):
    return [_Line(line.ys, line.xs, line.connected) for line in lines]


def _assembled(outlines, lines, along, across):
    boxes = [_Box(min(line.xs), max(line.xs), min(line.ys), max(line.ys)) for line in outlines]
    described = [_describe(box, lines, along, across) for box in boxes]
    return [box for box in described if box is not None]


def _describe(box, lines, along, across):
    middle = (box.left + box.right) / 2
    at_middle = [line for line in lines if line.xs and all(_same(place, middle) for place in line.xs)]
    whiskers = [line.ys for line in at_middle if line.connected]
    lower = [end for start, end in whiskers if _same(start, box.low) and end <= box.low]
    upper = [end for start, end in whiskers if _same(start, box.high) and end >= box.high]
    medians = [line.ys[0] for line in lines if line.connected and _crosses(line, box)]
    if not (medians and lower and upper):
        return None
    outliers = [value for line in at_middle if not line.connected for value in line.ys][:_MOST_OUTLIERS]
    values = {"min": lower[0], "first_quartile": box.low, "median": medians[0]}
    values.update(third_quartile=box.high, max=upper[-1])
    told = {name: across.value(value) for name, value in values.items()}
    return dict(told, label=along.name_at(middle), outliers=[across.value(value) for value in outliers])


def _crosses(line, box):
    (left, right), (start, end) = line.xs, line.ys
    return _same(left, box.left) and _same(right, box.right) and _same(start, end) and box.low <= start <= box.high


def _same(one, other):
    return abs(one - other) <= 1e-9 * max(1.0, abs(one))
