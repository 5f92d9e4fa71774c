"""Any Python value as bounded JSON: what may stand in a cell of a table, or be a coordinate of a point."""

import math
import numbers
import sys
from datetime import date, datetime, time, timedelta
from itertools import islice

_LONGEST_TEXT = 2000
_LONGEST_LIST = 50
_DEEPEST = 3
_LARGEST_WHOLE_BITS = 1024  # readers of JSON refuse numbers of thousands of digits


class Reader:
    """Makes plain values of any; ``cut`` tells whether something of them was left out for its length."""

    def __init__(self):
        self.cut = False

    def plain(self, value, depth=0):
        """The nearest value that JSON has, whatever the methods of this one do. Absent and endless numbers are None."""
        kind = type(value)
        if kind is str:
            return self._shortened(value)
        if kind is bool or value is None or (kind is int and value.bit_length() <= _LARGEST_WHOLE_BITS):
            return value
        if kind is float:
            return value if math.isfinite(value) else None
        try:
            return self._nearest(value, depth)
        except KeyboardInterrupt:
            raise
        except BaseException:
            return "<unprintable %s>" % kind.__name__

    def _nearest(self, value, depth):
        if _is_absent(value):
            return None
        if hasattr(value, "dtype") and getattr(value, "ndim", None) == 0:
            return self._of_numpy(value, depth)
        if isinstance(value, (datetime, date, time)):
            return value.isoformat()
        if isinstance(value, timedelta):
            return _duration(value)
        if isinstance(value, numbers.Integral):
            return int(value) if int(value).bit_length() <= _LARGEST_WHOLE_BITS else self._text(int(value))
        if isinstance(value, float):
            return self.plain(float(value))
        if hasattr(value, "start_time") and hasattr(value, "ordinal"):
            return value.start_time.isoformat()  # a period of pandas
        return self._of_many(value, depth) if depth < _DEEPEST else self._text(value)

    def _of_numpy(self, value, depth):
        """Times of numpy count in units that Python's may not have; numpy writes all dates as ISO 8601."""
        if value.dtype.kind in "mM":
            text = str(value)
            text = text.rstrip("0").rstrip(".") if "." in text else text
            return None if text == "NaT" else text
        item = value.item()
        return self._text(item) if item is value else self.plain(item, depth)

    def _of_many(self, value, depth):
        if isinstance(value, dict):
            items = self._first(value.items(), len(value))
            return {self._text(key): self.plain(item, depth + 1) for key, item in items}
        if isinstance(value, (list, tuple, set, frozenset)) or _is_array(value):
            return [self.plain(item, depth + 1) for item in self._first(value, len(value))]
        return self._text(value)

    def _first(self, items, count):
        self.cut = self.cut or count > _LONGEST_LIST
        return islice(items, _LONGEST_LIST)

    def _text(self, value):
        return self._shortened(value if type(value) is str else str(value))

    def _shortened(self, text):
        if len(text) <= _LONGEST_TEXT:
            return text
        self.cut = True
        return text[: _LONGEST_TEXT - 1] + "\u2026"


def size(value):
    """No less than the characters that a plain value takes as JSON."""
    if isinstance(value, str):
        return len(value) + 2 if value.isascii() and value.isprintable() else 6 * len(value) + 2
    if isinstance(value, bool) or value is None:
        return 5
    if isinstance(value, int):
        return value.bit_length() // 3 + 2
    if isinstance(value, float):
        return 24
    if isinstance(value, dict):
        return sum(size(key) + size(item) + 2 for key, item in value.items()) + 2
    return sum(size(item) + 1 for item in value) + 2


def _is_absent(value):
    """pandas has its own words for nothing, once it is there."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is getattr(pandas, "NA", None) or value is getattr(pandas, "NaT", None))


def _is_array(value):
    return type(value).__name__ == "ndarray" and getattr(value, "ndim", 0) >= 1


def _duration(value):
    """A span of time in ISO 8601; pandas writes its own."""
    if hasattr(value, "isoformat"):
        return value.isoformat()
    seconds = value.total_seconds()
    return "%sPT%sS" % ("-" if seconds < 0 else "", format(abs(seconds), "f").rstrip("0").rstrip("."))
