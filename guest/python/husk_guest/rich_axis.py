"""One axis of a chart: what it is called, and what the numbers on it stand for."""

import sys
from bisect import bisect

from .rich_values import Reader

_LONGEST_LABEL = 200
# Formatters that carry words given by somebody, rather than make them of numbers.
_NAMING = ("FixedFormatter", "FuncFormatter", "StrCategoryFormatter")


class Axis:
    def __init__(self, ax, which):
        self._ax = ax
        self._which = which
        self._axis = getattr(ax, which + "axis")
        converter = self._axis.get_converter() if hasattr(self._axis, "get_converter") else self._axis.converter
        self._converter = type(converter).__name__
        self._reader = Reader()
        self._names = None

    def label(self):
        return text(self._axis.label) or None

    def scale(self):
        """``linear``, ``log`` and so on; ``datetime`` and ``categorical`` where numbers stand for something else."""
        if "Date" in self._converter or "Period" in self._converter:
            return "datetime"
        if type(getattr(self._axis, "units", None)).__name__ == "UnitData":
            return "categorical"
        return str(self._axis.get_scale())

    def limits(self):
        return getattr(self._ax, "get_%slim" % self._which)()

    def value(self, value):
        """A coordinate: a finite number, a date in ISO 8601, a category's name, or None."""
        value = self._reader.plain(value)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return value
        try:
            return self._date(value)
        except Exception:
            return value

    def _date(self, number):
        if "Date" in self._converter:
            return sys.modules["matplotlib.dates"].num2date(number).replace(tzinfo=None).isoformat()
        if "Period" in self._converter:
            # How pandas draws a time series: in periods, counted from 1970.
            return self._reader.plain(sys.modules["pandas"].Period(ordinal=int(number), freq=self._ax.freq))
        return number

    def ticks(self, most):
        """Where the axis is marked, within what is shown; and with which words, if somebody gave it words."""
        low, high = sorted(self.limits())
        shown = [(place, name) for place, name in self._marked() if low <= place <= high][:most]
        ticks = {self._which + "_ticks": [self.value(float("%.12g" % place)) for place, _ in shown]}
        if self._is_named():
            ticks[self._which + "_tick_labels"] = [name for _, name in shown]
        return ticks

    def name_at(self, place):
        """The word at a place of this axis, or nearest to it: bars stand side by side around it. Or the value there."""
        if self._names is None:
            self._names = sorted(self._marked()) if self._is_named() else []
        around = bisect(self._names, (place,))
        for tick, name in sorted(self._names[max(0, around - 1) : around + 1], key=lambda named: abs(named[0] - place)):
            if name and abs(tick - place) < self._reach():
                return name
        return self.value(place)

    def _reach(self):
        """Half the way from one word to the next."""
        places = [tick for tick, _ in self._names]
        return min((after - before for before, after in zip(places, places[1:])), default=1.0) / 2

    def _is_named(self):
        return type(self._axis.get_major_formatter()).__name__ in _NAMING

    def _marked(self):
        labels = self._axis.get_majorticklabels()
        return [(float(place), text(label)) for place, label in zip(self._axis.get_majorticklocs(), labels)]


def text(artist):
    """The words of a text in a figure, none for no such text."""
    return artist.get_text()[:_LONGEST_LABEL] if artist is not None else ""


def label_of(artist):
    """What somebody called an artist; None if nobody did."""
    label = str(artist.get_label() or "")
    return label[:_LONGEST_LABEL] if label and not label.startswith("_") else None
