"""What is drawn in one pair of axes, read back from matplotlib's artists as series of values.

Artists are known by the names of their classes, so that nothing of matplotlib is imported.
"""

from collections import namedtuple

from . import rich_bars, rich_boxes, rich_lines
from .rich_axis import label_of
from .rich_series import Series
from .rich_values import Reader

# A chart's type, and its series.
Found = namedtuple("Found", "type series")
NOTHING = Found("unknown", [])

_LARGEST_GRID = 2500


def read(ax, x, y):
    """The type is that of the most telling kind of mark; what else was drawn is told beside it."""
    if getattr(ax, "name", "") == "3d":
        return NOTHING
    slices = _slices(ax)
    if slices:
        return Found("pie", slices)
    boxes = rich_boxes.read(ax, x, y)
    if boxes:
        return Found("box_and_whisker", [Series(None, "boxes", len(boxes), boxes.__getitem__)])
    bars, grids = rich_bars.read(ax, x, y), _grids(ax)
    lines, clouds = rich_lines.lines(ax, x, y), rich_lines.clouds(ax, x, y)
    if bars:
        return Found("histogram" if rich_bars.is_histogram(ax) else "bar", bars + lines + clouds)
    if grids:
        return Found("image", grids + lines + clouds)
    if any(series.connected for series in lines):
        return Found("line", lines + clouds)
    return Found("scatter", clouds + lines) if clouds or lines else NOTHING


def _slices(ax):
    wedges = [patch for patch in ax.patches if type(patch).__name__ == "Wedge" and patch.get_visible()]

    def piece(index):
        wedge = wedges[index]
        return {"label": label_of(wedge), "share": round(float(wedge.theta2 - wedge.theta1) / 360, 6)}

    return [Series(None, "slices", len(wedges), piece)] if wedges else []


def _grids(ax):
    """Pictures and heat maps; the values of small ones."""
    meshes = [mesh for mesh in ax.collections if type(mesh).__name__ == "QuadMesh"]
    return [_grid(artist) for artist in list(ax.images) + meshes if artist.get_visible()]


def _grid(artist):
    values = artist.get_array()
    if values.ndim == 1 and hasattr(artist, "get_coordinates"):
        values = values.reshape([size - 1 for size in artist.get_coordinates().shape[:2]])
    shape = [int(size) for size in values.shape]
    reader = Reader()
    small = values.ndim == 2 and values.size <= _LARGEST_GRID
    rows = [[reader.plain(value) for value in row] for row in values.tolist()] if small else []
    left_out = {} if small else {"truncated": True}
    return Series(label_of(artist), "rows", len(rows), rows.__getitem__, shape=shape, **left_out)
