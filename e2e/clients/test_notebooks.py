"""Notebooks run by nbclient: straight on the server, and through JupyterLab's own server."""

import base64

import pytest
from nbclient.exceptions import CellExecutionError

import rest
from notebooks import gateway_at, notebook, outputs, printed, runner


@pytest.fixture(params=["straight", "through Jupyter Server"])
def gateway(request, server):
    """Where nbclient finds its kernels. Jupyter Server is a gateway, too: all its kernels are."""
    direct = request.param == "straight"
    url = server.url if direct else request.getfixturevalue("laboratory").url
    with gateway_at(url):
        yield url


def test_a_notebook_runs_from_its_first_cell_to_its_last(gateway):
    ran = runner(notebook("x = 20", "print(x)", "x + 1")).execute()
    assert printed(ran.cells[1]) == "20\n"
    (value,) = outputs(ran.cells[2], "execute_result")
    assert value.data["text/plain"] == "21"
    assert [cell.execution_count for cell in ran.cells] == [1, 2, 3]


def test_a_plot_becomes_an_image_of_its_cell(gateway):
    drawing = "%matplotlib inline\nimport matplotlib.pyplot as plt\nplt.plot([1, 4, 9]);"
    ran = runner(notebook(drawing)).execute()
    (image,) = outputs(ran.cells[0], "display_data")
    assert base64.b64decode(image.data["image/png"]).startswith(b"\x89PNG")


def test_an_error_stops_the_notebook_and_is_kept_in_it(gateway):
    cells = notebook("print('before')\n1 / 0", "never = 1")
    with pytest.raises(CellExecutionError, match="ZeroDivisionError"):
        runner(cells).execute()
    assert printed(cells.cells[0]) == "before\n"
    (error,) = outputs(cells.cells[0], "error")
    assert (error.ename, error.evalue) == ("ZeroDivisionError", "division by zero")
    assert cells.cells[1].outputs == []


def test_errors_can_be_allowed(gateway):
    ran = runner(notebook("raise KeyError('k')", "print('after')"), allow_errors=True).execute()
    assert outputs(ran.cells[0], "error")[0].ename == "KeyError"
    assert printed(ran.cells[1]) == "after\n"


def test_input_is_refused(gateway):
    ran = runner(notebook("input('who? ')"), allow_errors=True).execute()
    assert outputs(ran.cells[0], "error")[0].ename == "StdinNotImplementedError"


def test_a_display_is_updated_in_place(gateway):
    ran = runner(
        notebook("shown = display('old', display_id=True)", "shown.update('new')")
    ).execute()
    assert outputs(ran.cells[0], "display_data")[0].data["text/plain"] == "'new'"


def test_cleared_output_is_gone(gateway):
    code = "from IPython.display import clear_output\nprint('old')\nclear_output()\nprint('new')"
    assert printed(runner(notebook(code)).execute().cells[0]) == "new\n"


def test_a_widget_has_its_state_in_the_notebook(gateway):
    code = "import ipywidgets\nipywidgets.IntSlider(value=7, description='seven')"
    ran = runner(notebook(code), store_widget_state=True).execute()
    states = ran.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"].values()
    assert 7 in [state["state"].get("value") for state in states]


@pytest.mark.beyond_stock("a stock gateway drops output above 1 MB/s")
def test_two_megabytes_of_a_cell_are_in_the_notebook(gateway):
    ran = runner(notebook("for i in range(20_000): print('%08d' % i + 'x' * 91)")).execute()
    assert printed(ran.cells[0]) == "".join("%08d" % i + "x" * 91 + "\n" for i in range(20_000))


def test_the_kernel_is_gone_afterwards(gateway, server):
    runner(notebook("x = 1")).execute()
    assert rest.kernel_ids(server.url) == set()
