"""A person with a browser: JupyterLab on the server's kernels, and the server's own pages."""

import pathlib

import pytest

import browser
import rest

PICTURES = pathlib.Path(__file__).resolve().parents[2] / ".check"

PLOT = """%matplotlib inline
import matplotlib.pyplot as plt, math
angles = [i / 20 for i in range(200)]
plt.plot(angles, [math.sin(a) * math.exp(-a / 6) for a in angles])
plt.title("a damped oscillation");"""


@pytest.fixture
def visit():
    with browser.visit() as opened:
        yield opened


@pytest.fixture
def notebook(visit, laboratory, server):
    """The page with a new notebook, made as a person would; its kernel is ended afterwards."""
    page = visit.page
    page.goto(f"{laboratory.url}/lab?reset")
    page.locator(".jp-LauncherCard[data-category=Notebook]").first.click()
    page.locator(".jp-Notebook .cm-content").wait_for()
    page.get_by_text("| Idle").first.wait_for()
    yield page
    for session in rest.ask("GET", f"{laboratory.url}/api/sessions"):
        rest.ask("DELETE", f"{laboratory.url}/api/sessions/{session['id']}")
    assert rest.kernel_ids(server.url) == set()


def run(page, code: str) -> None:
    """Puts the code into the selected cell, as pasting does, and runs it."""
    page.locator(".jp-Notebook .jp-mod-selected .cm-content").click()
    page.keyboard.insert_text(code)
    page.keyboard.press("Shift+Enter")


def test_a_plot_drawn_in_jupyterlab_is_seen(visit, notebook, server):
    run(notebook, PLOT)
    image = notebook.locator(".jp-OutputArea-output img")
    image.wait_for()
    notebook.wait_for_function(
        "() => document.querySelector('.jp-OutputArea-output img').naturalWidth > 100"
    )
    run(notebook, "print('rows:', len(angles))")
    notebook.get_by_text("rows: 200", exact=True).wait_for()
    PICTURES.mkdir(exist_ok=True)
    notebook.screenshot(path=PICTURES / "jupyterlab.png")
    assert len(rest.kernel_ids(server.url)) == 1
    assert visit.foreign == []


def test_a_running_cell_is_interrupted_from_the_menu(visit, notebook):
    run(notebook, "import time\nprint('started')\nwhile True: time.sleep(0.05)")
    notebook.get_by_text("started", exact=True).wait_for()
    notebook.get_by_title("Interrupt the kernel", exact=False).click()
    notebook.get_by_text("KeyboardInterrupt").first.wait_for()
    run(notebook, "print('and', 'on')")
    notebook.get_by_text("and on", exact=True).wait_for()
    assert visit.foreign == []


@pytest.mark.beyond_stock("a stock gateway has no such pages")
@pytest.mark.parametrize("path", ["/docs", "/redoc"])
def test_the_documentation_shows_every_operation_and_asks_nobody_else(visit, server, path):
    """The pages come with the server: nothing is fetched from elsewhere, and nothing fails."""
    paths = rest.ask("GET", f"{server.url}/openapi.json")["paths"].values()
    summaries = [operation["summary"] for methods in paths for operation in methods.values()]
    assert len(summaries) > 20
    visit.page.goto(server.url + path)
    visit.page.get_by_text(summaries[-1], exact=True).first.wait_for(state="attached")
    visit.page.wait_for_load_state("networkidle")
    shown = visit.page.locator("body").inner_text()
    assert [summary for summary in summaries if summary not in shown] == []
    PICTURES.mkdir(exist_ok=True)
    visit.page.screenshot(path=PICTURES / f"{path[1:]}.png")
    assert visit.foreign == []
    assert visit.complaints == []


@pytest.mark.beyond_stock("a stock gateway has no such pages")
def test_an_operation_is_tried_out_from_the_documentation(visit, server):
    page = visit.page
    page.goto(f"{server.url}/docs")
    health = page.locator(".opblock", has=page.get_by_text("Health check", exact=True))
    health.click()
    health.get_by_role("button", name="Execute").click()
    health.locator(".live-responses-table").get_by_text('"status": "ok"').first.wait_for()
    assert visit.foreign == []
    assert visit.complaints == []
