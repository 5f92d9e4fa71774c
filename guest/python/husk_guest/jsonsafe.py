"""JSON that never fails: what has no JSON form degrades to text, and the bytes are always valid UTF-8."""

import base64
import json
import math
import numbers
from collections.abc import Iterable, Mapping
from datetime import date, datetime, timezone

_MAX_DEPTH = 60


def dumps(value):
    """Serialises to UTF-8 bytes."""
    try:
        text = json.dumps(value, default=_replacement, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (ValueError, TypeError, RecursionError):
        # NaN, a cycle, odd keys, or nesting without end.
        text = json.dumps(_clean(value, 0), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


def loads(data):
    return json.loads(data.decode("utf-8"))


def now():
    """The time in the form that Jupyter's headers use."""
    return datetime.now(timezone.utc).isoformat()


def base64_text(data):
    return base64.b64encode(data).decode("ascii")


def _replacement(value):
    """The nearest thing with a JSON form."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64_text(value)
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return _clean_float(float(value))
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        try:
            return list(value)
        except Exception:
            pass
    return _text_of(value)


def _clean(value, depth):
    if depth > _MAX_DEPTH:
        return _text_of(type(value))
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return _clean_float(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Mapping):
        return {_text_of(key): _clean(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_clean(item, depth + 1) for item in value]
    return _clean(_replacement(value), depth + 1)


def _clean_float(value):
    return value if math.isfinite(value) else repr(value)


def _text_of(value):
    if isinstance(value, str):
        return value
    try:
        return repr(value)
    except Exception:
        return "<unprintable %s>" % type(value).__name__
