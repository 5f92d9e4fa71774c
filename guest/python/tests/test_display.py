"""Rich output: every MIME type, updates, and values that have no JSON form."""

import base64
import json

import pytest


def test_displays_are_published_with_their_mime_types(kernel):
    result = kernel.run("from IPython.display import HTML, display; display(HTML('<b>x</b>')); HTML('<i>y</i>')")
    assert result.of("display_data")[0]["data"]["text/html"] == "<b>x</b>"
    assert result.of("execute_result")[0]["data"]["text/html"] == "<i>y</i>"


def test_images_are_base64_encoded(kernel):
    png = b"\x89PNG\r\n\x1a\n not really"
    result = kernel.run("display({'image/png': %r, 'text/plain': 'picture'}, raw=True)" % png)
    assert base64.b64decode(result.of("display_data")[0]["data"]["image/png"]) == png


def test_a_display_can_be_updated(kernel):
    result = kernel.run("h = display('first', display_id='one'); h.update('second')")
    shown, updated = result.of("display_data")[0], result.of("update_display_data")[0]
    assert shown["transient"] == updated["transient"] == {"display_id": "one"}
    assert updated["data"]["text/plain"] == "'second'"


def test_output_can_be_cleared(kernel):
    result = kernel.run("from IPython.display import clear_output; print('x'); clear_output(wait=True); print('y')")
    assert [kind for kind, _ in result.messages] == ["stream", "clear_output", "stream"]
    assert result.of("clear_output") == [{"wait": True}]


def test_values_without_a_json_form_degrade(kernel):
    code = """
import datetime, decimal
cycle = []; cycle.append(cycle)
deep = []
for _ in range(5000): deep = [deep]
display({'application/json': {'when': datetime.datetime(2020, 1, 2), 'd': decimal.Decimal('1.5'), 'o': object(), 's': {1, 2}},
         'application/x': float('nan'), 'application/y': {(1, 2): float('inf')}, 'application/z': cycle,
         'application/deep': deep, 'text/plain': 'x'}, raw=True)
"""
    result = kernel.run(code)
    assert result.status == "ok", result.reply
    data = result.of("display_data")[0]["data"]
    assert data["application/json"]["when"].startswith("2020-01-02") and "object" in data["application/json"]["o"]
    assert data["application/x"] == "nan" and data["application/y"] == {"(1, 2)": "inf"}
    json.dumps(data, allow_nan=False)


def test_metadata_reaches_the_client(kernel):
    shown = kernel.run("display('x', metadata={'text/plain': {'k': 1}})").of("display_data")[0]
    assert shown["metadata"]["text/plain"] == {"k": 1}


def test_a_trailing_semicolon_hides_the_result(kernel):
    assert kernel.run("1 + 1;").messages == []


@pytest.fixture
def plotting(kernel):
    if kernel.run("import matplotlib").status != "ok":
        pytest.skip("matplotlib is not installed")
    return kernel


def test_figures_are_shown_at_the_end_of_the_cell(plotting):
    result = plotting.run("import matplotlib.pyplot as plt; plt.plot([1, 2]); print('drawn')")
    kinds = [kind for kind, _ in result.messages]
    assert kinds[-1] == "display_data" and result.stdout == "drawn\n"
    image = base64.b64decode(result.of("display_data")[0]["data"]["image/png"])
    assert image.startswith(b"\x89PNG")


def test_a_figure_is_kept_when_the_cell_then_fails(plotting):
    result = plotting.run("import matplotlib.pyplot as plt; plt.plot([1]); print('p'); 1/0")
    assert {kind for kind, _ in result.messages} == {"stream", "display_data", "error"}


def test_plt_show_publishes_at_once(plotting):
    result = plotting.run("import matplotlib.pyplot as plt; plt.plot([1]); plt.show(); print('after')")
    assert [kind for kind, _ in result.messages] == ["display_data", "stream"]


def test_windows_are_refused_with_a_clear_error(kernel):
    for code in ("%gui qt", "%matplotlib qt", "%matplotlib tk"):
        result = kernel.run(code)
        assert result.status == "error" and "display" in result.reply["evalue"], result.reply


def test_matplotlib_inline_is_accepted(plotting):
    assert plotting.run("%matplotlib inline").status == "ok"


def test_data_frames_are_shown_as_html(kernel):
    if kernel.run("import pandas").status != "ok":
        pytest.skip("pandas is not installed")
    data = kernel.run("pandas.DataFrame({'a': [1]})").of("execute_result")[0]["data"]
    assert "<table" in data["text/html"] and "a" in data["text/plain"]
