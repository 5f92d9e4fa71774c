"""IPython's profile directory, without touching the disk until something is stored in it."""

import os

from IPython.core.profiledir import ProfileDir


class UnwrittenProfile(ProfileDir):
    """Knows where the profile is, and creates nothing there."""

    def _location_changed(self, change):
        """Replaces the observer that makes a tree of folders."""


class MemoryStore(dict):
    """Stands in for IPython's ``db`` where no directory can be written."""

    def keys(self, globpat=None):
        if globpat is None:
            return list(dict.keys(self))
        from fnmatch import fnmatch

        return [key for key in dict.keys(self) if fnmatch(key, globpat)]


def ipython_dir():
    """As IPython finds it; its own function would create it."""
    return os.environ.get("IPYTHONDIR") or os.path.join(os.path.expanduser("~"), ".ipython")


def profile_location():
    return os.path.join(ipython_dir(), "profile_default")


def open_store(location):
    """What ``%store`` and the import completer keep between kernels."""
    try:
        try:
            from IPython.external.pickleshare import PickleShareDB
        except ImportError:
            from pickleshare import PickleShareDB
        return PickleShareDB(os.path.join(location, "db"))
    except (ImportError, OSError):
        return MemoryStore()
