"""What the user's variables look like: type, shape, size, and a digest by which a change is seen."""

from . import apart

MOST = 20_000  # variables
MOST_LOOKED_AT = 2000  # the others are told by type and identity alone
SECONDS = 10.0  # for all of them
_LONGEST = 200  # characters of a name or a type


def summary(shell, seconds=SECONDS):
    """(a description of each variable by its name, whether something is missing from it)."""
    chosen = _chosen(shell)
    partial = len(chosen) > MOST
    chosen = chosen[:MOST]
    told = [{"type": _type_name(value), "identity": id(value)} for _, value in chosen]
    values = [value for _, value in chosen[:MOST_LOOKED_AT]]
    partial |= len(values) < len(chosen)
    patience = apart.Patience(seconds)
    done = 0
    while done < len(values) and patience.left() > 0:
        looked = apart.look(values, done, told, patience)
        partial |= looked < len(values)
        done = looked + 1  # what ended the copy is not looked at again
    late = [one.pop("late", False) for one in told]
    partial |= done < len(values) or any(late)
    return {name: one for (name, _), one in zip(chosen, told)}, partial


def _chosen(shell):
    """As ``%who`` has it: nothing that begins with an underscore, nothing that IPython put there itself."""
    hidden = shell.user_ns_hidden
    return [
        (name, value)
        for name, value in list(shell.user_ns.items())
        if type(name) is str
        and name[:1] != "_"
        and len(name) <= _LONGEST
        and not (name in hidden and hidden[name] is value)
    ]


def _type_name(value):
    """Without a detour over what a metaclass may have put in its place."""
    return type.__dict__["__qualname__"].__get__(type(value))[:_LONGEST]
