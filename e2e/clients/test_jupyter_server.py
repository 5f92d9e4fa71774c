"""Jupyter Server with `--gateway-url`: what its users see of kernels, sessions and kernelspecs."""

import urllib.request

import nbformat
import pytest

import rest
from notebooks import notebook


@pytest.fixture
def api(laboratory):
    return f"{laboratory.url}/api"


@pytest.fixture
def session(laboratory, api):
    """A notebook with its kernel, as opening it in JupyterLab makes them."""
    nbformat.write(notebook("1 + 1"), laboratory.notebooks / "session.ipynb")
    wanted = {
        "path": "session.ipynb",
        "name": "session.ipynb",
        "type": "notebook",
        "kernel": {"name": "python3"},
    }
    made = rest.ask("POST", f"{api}/sessions", wanted)
    yield made
    if made["id"] in {found["id"] for found in rest.ask("GET", f"{api}/sessions")}:
        rest.ask("DELETE", f"{api}/sessions/{made['id']}")


def test_the_kernelspecs_are_those_of_the_server(api, server):
    theirs = rest.ask("GET", f"{api}/kernelspecs")
    ours = rest.ask("GET", f"{server.url}/api/kernelspecs")
    assert theirs["default"] == ours["default"]
    assert theirs["kernelspecs"].keys() == ours["kernelspecs"].keys()
    python = theirs["kernelspecs"][theirs["default"]]
    assert python["spec"]["language"] == "python"
    assert python["spec"]["display_name"]


def test_the_logos_of_a_kernelspec_are_images(laboratory, api):
    specs = rest.ask("GET", f"{api}/kernelspecs")
    resources = specs["kernelspecs"][specs["default"]]["resources"]
    assert any(name.startswith("logo") for name in resources)
    for name, path in resources.items():
        with urllib.request.urlopen(laboratory.url + path, timeout=60) as answer:
            assert answer.headers["Content-Type"].startswith("image/"), (name, path)
            assert answer.read()


def test_one_kernelspec_can_be_asked_for_and_an_unknown_one_is_not_found(api):
    assert rest.ask("GET", f"{api}/kernelspecs/python3")["name"] == "python3"
    with pytest.raises(AssertionError, match=" 404 "):
        rest.ask("GET", f"{api}/kernelspecs/klingon")


def test_a_session_has_a_kernel_on_the_server(api, session, server):
    kernel = session["kernel"]["id"]
    assert rest.kernel_ids(server.url) == {kernel}
    assert [model["id"] for model in rest.ask("GET", f"{api}/kernels")] == [kernel]
    assert [found["id"] for found in rest.ask("GET", f"{api}/sessions")] == [session["id"]]


def test_a_kernel_is_told_with_all_its_fields(api, session):
    model = rest.ask("GET", f"{api}/kernels/{session['kernel']['id']}")
    assert model["name"] == "python3"
    assert model["execution_state"] in ("starting", "idle", "busy")
    assert model["connections"] == 0
    assert model["last_activity"].endswith("Z")


def test_a_session_keeps_its_kernel_when_its_notebook_is_renamed(api, session):
    renamed = {"path": "renamed.ipynb", "name": "renamed.ipynb", "type": "notebook"}
    changed = rest.ask("PATCH", f"{api}/sessions/{session['id']}", renamed)
    assert changed["path"] == "renamed.ipynb"
    assert changed["kernel"]["id"] == session["kernel"]["id"]


def test_a_session_can_be_given_another_kernel(api, session, server):
    changed = rest.ask("PATCH", f"{api}/sessions/{session['id']}", {"kernel": {"name": "python3"}})
    assert changed["kernel"]["id"] != session["kernel"]["id"]
    assert rest.kernel_ids(server.url) == {changed["kernel"]["id"]}


def test_deleting_a_session_deletes_its_kernel(api, session, server):
    rest.ask("DELETE", f"{api}/sessions/{session['id']}")
    assert rest.kernel_ids(server.url) == set()
    assert rest.ask("GET", f"{api}/sessions") == []


def test_a_restart_keeps_the_kernels_id(api, session, server):
    kernel = session["kernel"]["id"]
    assert rest.ask("POST", f"{api}/kernels/{kernel}/restart")["id"] == kernel
    assert rest.kernel_ids(server.url) == {kernel}


def test_a_kernel_deleted_on_the_server_is_gone_for_jupyter(api, session, server):
    rest.ask("DELETE", f"{server.url}/api/kernels/{session['kernel']['id']}")
    assert rest.ask("GET", f"{api}/kernels") == []
    assert rest.ask("GET", f"{api}/sessions") == []
