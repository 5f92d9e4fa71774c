"""What one value looks like. To look can run code of the user's: a property, ``__sizeof__``, ``__reduce__``."""

import json
import operator
import signal
import sys
import types

from . import digests

_LONGEST = 200  # characters of a digest
_MOST_DIMENSIONS = 32
_LARGEST = 1 << 63
_WITHOUT_LENGTH = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)


class TooLong(BaseException):
    """Raised in the copy while it looks at a value; no handler of ``Exception`` stops it."""


def describe(value, progress):
    told = {}
    looks = {"shape": _shape, "size": _size, "digest": lambda it: digests.of(it, progress)}
    for what, look in looks.items():
        try:
            progress()
            told[what] = look(value)
        except TooLong:
            told["late"] = True
        except BaseException:
            pass  # it does not say
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return told


def read(line):
    """What the copy says of a value; None for what only code of the user's can have written there."""
    try:
        told = json.loads(line)
        shape = told.get("shape")
        if shape is not None:
            told["shape"] = [_number(length) for length in shape][:_MOST_DIMENSIONS]
        if told.get("size") is not None:
            told["size"] = _number(told["size"])
        if "digest" in told:
            told["digest"] = str(told["digest"])[:_LONGEST]
        return {what: told[what] for what in ("shape", "size", "digest", "late") if what in told}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def _shape(value):
    """Of arrays and frames; of what has a length, that."""
    if isinstance(value, _WITHOUT_LENGTH):
        return None
    shape = getattr(value, "shape", None)
    if isinstance(shape, (tuple, list)) and len(shape) <= _MOST_DIMENSIONS:
        return [_number(length) for length in shape]
    return [_number(len(value))]


def _size(value):
    """What an array holds, and not only what describes it."""
    held = getattr(value, "nbytes", None)
    return _number(held if isinstance(held, int) and not isinstance(value, type) else sys.getsizeof(value))


def _number(value):
    whole = operator.index(value)
    if not 0 <= whole < _LARGEST:
        raise ValueError(whole)
    return whole
