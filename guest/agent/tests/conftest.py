"""Places to test in. Those of a module are shared; a test that breaks its place makes one of its own."""

import os
import shutil
import subprocess

import pytest
from places import Place


def missing(kind):
    """Why there can be no such place here, or None."""
    if kind == "host":
        return None
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed"
    if os.geteuid() != 0:
        return None if kind == "own" else "only root can take another identity"
    if kind == "nobody":
        probe = "setpriv --reuid 65534 --regid 65534 --clear-groups bwrap --unshare-user --ro-bind / / true"
        if subprocess.run(probe.split(), capture_output=True).returncode != 0:
            return "this machine forbids user namespaces to ordinary users"
    return None


def kinds():
    return ["host", "identity", "nobody"] if os.geteuid() == 0 else ["host", "own"]


def walled_kinds():
    return [kind for kind in kinds() if kind != "host"]


@pytest.fixture
def make():
    made = []

    def one(kind="host", **options):
        if reason := missing(kind):
            pytest.skip(reason)
        made.append(Place(kind, **options))
        return made[-1]

    yield one
    for place in made:
        place.close()


def shared(kind):
    if reason := missing(kind):
        pytest.skip(reason)
    with Place(kind) as place:
        yield place


@pytest.fixture(scope="module", params=kinds())
def place(request):
    yield from shared(request.param)


@pytest.fixture(scope="module", params=walled_kinds())
def walled(request):
    yield from shared(request.param)


@pytest.fixture(scope="module")
def host():
    yield from shared("host")
