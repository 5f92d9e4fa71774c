"""A digest of any value: the same while the value is what it was, another once it is not.

It is taken of what pickle would write, so it reaches as deep as pickle does. Large arrays are hashed where they lie.
What pickle knows by name alone, and users define anew under that name (functions, classes), is looked into.
"""

import hashlib
import pickle
import sys
import types

_AT_ONCE = 1 << 24  # so that whoever wants to stop us can
_MAIN = "__main__"
# Says nothing about a class, or differs whenever the same cell is run again.
_UNTOLD = {"__dict__", "__weakref__", "__firstlineno__", "__static_attributes__", "_abc_impl", "__annotate_func__"}


def of(value, progress=lambda: None):
    """The digest as text. Raises whatever the value's own methods raise. Calls ``progress`` while it gets on."""
    sink = _Sink(progress)
    _Digester(sink).dump(value)
    return sink.digest()


class _Sink:
    """The file that pickle writes to: nothing of it is kept."""

    def __init__(self, progress):
        self._hash = hashlib.blake2b(digest_size=16)
        self._progress = progress

    def write(self, data):
        with memoryview(data) as view:
            for start in range(0, len(view), _AT_ONCE):
                self._hash.update(view[start : start + _AT_ONCE])
                self._progress()
            return len(view)

    def digest(self):
        return self._hash.hexdigest()


class _Digester(pickle.Pickler):
    def __init__(self, sink):
        super().__init__(sink, protocol=5, buffer_callback=self._take)
        self._sink = sink

    def _take(self, buffer):
        """Hashes what lies in one piece; anything else goes through pickle's own stream."""
        try:
            raw = buffer.raw()
        except BufferError:
            return True
        self._sink.write(raw)
        return False

    def reducer_override(self, value):
        kind = type(value)
        if kind in _REDUCERS:
            return _REDUCERS[kind](value)
        if issubclass(kind, type) and not _importable(value):
            told = {name: part for name, part in sorted(vars(value).items()) if name not in _UNTOLD}
            return _stand_in, ("class", kind.__name__), (value.__bases__, told)
        return NotImplemented


def _stand_in(*told):
    """Named in what is hashed, and never called: it stands for what pickle cannot write."""


def _importable(value):
    """Whether everybody finds the same under its name; what users defined themselves may change."""
    module = value.__module__
    if module == _MAIN:
        return False
    found = sys.modules.get(module)
    for name in value.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is value


def _function(value):
    if _importable(value):
        return NotImplemented
    cells = [_contents(cell) for cell in value.__closure__ or ()]
    parts = (value.__code__, value.__defaults__, value.__kwdefaults__, cells, value.__dict__)
    # As state, which is written after the function is known: it may hold itself.
    return _stand_in, ("function", value.__name__), parts


def _contents(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return _stand_in  # not yet filled


def _code(value):
    """Without file and line: the same cell run again makes the same function."""
    parts = (value.co_code, value.co_consts, value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
    counts = (value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags)
    return _stand_in, ("code", value.co_name), parts + counts


_REDUCERS = {
    types.ModuleType: lambda value: (_stand_in, ("module", value.__name__)),
    types.FunctionType: _function,
    types.CodeType: _code,
    types.MappingProxyType: lambda value: (_stand_in, ("mapping",), dict(value)),
    types.MemberDescriptorType: lambda value: (_stand_in, ("slot", value.__name__)),
    property: lambda value: (_stand_in, ("property",), (value.fget, value.fset, value.fdel)),
    classmethod: lambda value: (_stand_in, ("classmethod",), value.__func__),
    staticmethod: lambda value: (_stand_in, ("staticmethod",), value.__func__),
}
