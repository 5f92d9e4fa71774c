"""Magics that need a screen, refused in words instead of failing in odd ways."""

from IPython.core.error import UsageError

_WINDOWED = ("qt", "gtk", "wx", "tk", "osx", "macosx", "glut", "pyglet")


def load(shell):
    shell.register_magic_function(gui)
    shell.register_magic_function(edit)
    shell.register_magic_function(edit, magic_name="ed")


def refuse_windows(toolkit):
    if isinstance(toolkit, str) and toolkit.lower().startswith(_WINDOWED):
        raise UsageError("a kernel has no display for %r windows; use %%matplotlib inline" % toolkit)


def gui(line):
    """A kernel has no display, so no toolkit can be enabled."""
    refuse_windows(line.strip())


def edit(line):
    """A kernel has no terminal for an editor."""
    raise UsageError("a kernel has no terminal for an editor; use %%writefile")
