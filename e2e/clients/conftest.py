"""One server for all tests; each test has to give back the kernels it made."""

import os
import pathlib
import shutil
import tempfile

import pytest

import leftovers
import rest
import server as servers
from laboratory import Laboratory

TARGET = os.environ.get("HUSK_CLIENTS_TARGET", "husk")


@pytest.fixture(scope="session")
def place():
    """A folder for everything of the run; short, because the paths of sockets are."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="hc-", dir="/tmp"))
    yield folder
    left = leftovers.after(folder)
    shutil.rmtree(folder, ignore_errors=True)
    assert not left, "left behind:\n" + "\n".join(left)


@pytest.fixture(scope="session")
def server(place):
    with servers.TARGETS[TARGET](place) as running:
        yield running


@pytest.fixture(scope="session")
def laboratory(server):
    """JupyterLab, whose kernels are the server's."""
    with Laboratory(server) as running:
        yield running


@pytest.fixture(autouse=True)
def gives_kernels_back(request):
    """A kernel that outlives its test would be found by the next one."""
    if "server" not in request.fixturenames:
        yield
        return
    server = request.getfixturevalue("server")
    before = rest.kernel_ids(server.url)
    yield
    assert server.process.poll() is None, f"the server ended: {leftovers.end_of(server.log)}"
    left = rest.kernel_ids(server.url) - before
    for kernel in left:
        rest.ask("DELETE", f"{server.url}/api/kernels/{kernel}")
    assert not left, f"the test left kernels behind: {left}"


@pytest.fixture
def kernel(server):
    """The id of a kernel that nobody has used yet."""
    made = rest.ask("POST", f"{server.url}/api/kernels", {"name": "python3"})["id"]
    yield made
    rest.ask("DELETE", f"{server.url}/api/kernels/{made}")


def pytest_configure(config):
    config.addinivalue_line("markers", "beyond_stock(why): the stock gateway does not do this")


def pytest_collection_modifyitems(items):
    if TARGET == "husk":
        return
    for item in items:
        marker = item.get_closest_marker("beyond_stock")
        if marker:
            item.add_marker(pytest.mark.skip(reason=marker.args[0]))
