"""A data frame as a Tabular Data Resource: ``schema.fields``, and its first rows as records.

Only the rows that are given are ever touched, and only as many as fit; ``total_rows`` says how many there are. Nothing
is asked of the frame that takes longer the longer it is.
"""

import time

from . import rich_values

_MOST_COLUMNS = 200
_MOST_CELLS = 20000
_MOST_CATEGORIES = 100
# Objects in cells may be slow to print; what is there by then is given.
_PATIENCE_SECONDS = 0.1

_TYPES = {"b": "boolean", "i": "integer", "u": "integer", "f": "number", "M": "datetime", "m": "duration"}


class _Column:
    """One column's name and type, and its values as plain JSON."""

    def __init__(self, name, kind, values):
        self.reader = rich_values.Reader()
        self.field = {"name": name, "type": _TYPES.get(kind, "any")}
        self.name = name
        self._values = values
        self._as_is = kind in "biu"
        self._seen = set()

    def cell(self, row):
        value = self._values[row]
        if self._as_is and type(value) in (int, bool):
            return value
        value = self.reader.plain(value)
        if value is not None:
            self._seen.add(type(value))
        return value

    def settle_type(self):
        """Columns of objects are of the type that all of the given cells have."""
        if self.field["type"] == "any" and "constraints" not in self.field and len(self._seen) == 1:
            known = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
            self.field["type"] = known[self._seen.pop()]


def of_pandas(frame, most_rows, most_size):
    if not hasattr(frame, "columns"):
        frame = frame.to_frame("values" if frame.name is None else frame.name)
    width = frame.shape[1]
    part = frame.iloc[: _rows_for(width, most_rows), :_MOST_COLUMNS]
    names = _unique([_label(label) for label in part.columns])
    levels = _index_names(frame.index, names)
    columns = [
        _pandas_column(name, part.index.get_level_values(level)) for level, name in enumerate(levels)
    ] + [_pandas_column(name, part.iloc[:, position]) for position, name in enumerate(names)]
    total = len(frame.index)
    key = levels if total == len(part) and part.index.is_unique else []
    return _resource(columns, key, len(part), total, width, most_size)


def of_polars(frame, most_rows, most_size):
    if not hasattr(frame, "columns"):
        frame = frame.to_frame()
    part = frame[: _rows_for(frame.width, most_rows), :_MOST_COLUMNS]
    columns = []
    for name in part.columns:
        series = part[name]
        columns.append(_Column(name, _polars_kind(series.dtype), series.to_list()))
    return _resource(columns, [], part.height, frame.height, frame.width, most_size)


def _resource(columns, key, rows, total, width, most_size):
    started = time.monotonic()
    data, room = [], most_size
    overhead = sum(rich_values.size(column.name) + 2 for column in columns) + 2
    for row in range(rows):
        record = {column.name: column.cell(row) for column in columns}
        room -= overhead + sum(rich_values.size(value) for value in record.values())
        if room < 0 or time.monotonic() - started > _PATIENCE_SECONDS:
            break
        data.append(record)
    for column in columns:
        column.settle_type()
    schema = {"fields": [column.field for column in columns]}
    if key:
        schema["primaryKey"] = key
    truncated = len(data) < total or width > _MOST_COLUMNS or any(column.reader.cut for column in columns)
    return {"schema": schema, "data": data, "truncated": truncated, "total_rows": total, "total_columns": width}


def _rows_for(width, most_rows):
    return min(most_rows, max(1, _MOST_CELLS // max(1, width)))


def _pandas_column(name, values):
    kind = getattr(values.dtype, "kind", "O")
    column = _Column(name, kind, values.tolist())
    categories = getattr(values.dtype, "categories", None)
    if categories is not None:
        _describe_categories(column, values.dtype, categories)
    if getattr(values.dtype, "tz", None) is not None:
        column.field["tz"] = str(values.dtype.tz)
    return column


def _describe_categories(column, dtype, categories):
    column.field["ordered"] = bool(dtype.ordered)
    if len(categories) <= _MOST_CATEGORIES:
        column.field["constraints"] = {"enum": [column.reader.plain(category) for category in categories.tolist()]}


def _polars_kind(dtype):
    name = str(dtype)
    for start, kind in (("Int", "i"), ("UInt", "u"), ("Float", "f"), ("Boolean", "b")):
        if name.startswith(start):
            return kind
    return {"Date": "M", "Datetime": "M", "Duration": "m"}.get(name.partition("(")[0], "O")


def _index_names(index, taken):
    """What the index is called among the columns, whose names are given."""
    if index.nlevels == 1:
        default = ["index" if "index" not in taken else "level_0"]
    else:
        default = ["level_%d" % level for level in range(index.nlevels)]
    names = [default[level] if name is None else _label(name) for level, name in enumerate(index.names)]
    return _unique(names, taken)


def _label(label):
    """The name of a column as text; the levels of one that has several are joined."""
    if isinstance(label, tuple):
        return ".".join(filter(None, (_label(part) for part in label)))
    plain = rich_values.Reader().plain(label)
    return plain if isinstance(plain, str) else str(plain)


def _unique(names, taken=()):
    seen, made = set(taken), []
    for name in names:
        chosen, count = name, 0
        while chosen in seen:
            count += 1
            chosen = "%s.%d" % (name, count)
        seen.add(chosen)
        made.append(chosen)
    return made
