"""Figures as data: what was drawn, chart by chart, beside the picture."""

import json

import pytest
from harness import WarmParent

CHART = "application/vnd.husk.chart+json"


@pytest.fixture
def plot(kernel):
    """Runs code with matplotlib at hand, and gives the charts of each figure it shows."""
    if kernel.run("import numpy as np, datetime, matplotlib, matplotlib.pyplot as plt").status != "ok":
        pytest.skip("matplotlib is not installed")

    def run(code):
        result = kernel.run(code)
        assert result.status == "ok", result.reply
        assert result.stderr == "", result.stderr
        figures = [content["data"] for content in result.of("display_data")]
        json.dumps(figures, allow_nan=False)
        assert figures and all("image/png" in data and "text/plain" in data for data in figures)
        return [data[CHART]["charts"] for data in figures]

    run.kernel = kernel
    return run


def chart(figures):
    ((only,),) = figures
    return only


def test_lines_are_given_as_points_with_their_axes(plot):
    code = """
plt.plot([1, 2, 3], [4, 5, np.nan], label='speed'); plt.plot([1, 2], [1, 1])
plt.title('T'); plt.xlabel('time'); plt.ylabel('m/s'); plt.yscale('log'); plt.legend()
"""
    found = chart(plot(code + "plt.show()"))
    assert found["type"] == "line" and found["title"] == "T" and found["legend"] == ["speed"]
    assert (found["x_label"], found["y_label"]) == ("time", "m/s")
    assert (found["x_scale"], found["y_scale"]) == ("linear", "log")
    assert found["elements"] == [
        {"label": "speed", "points": [[1, 4], [2, 5], [3, None]]},
        {"label": None, "points": [[1, 1], [2, 1]]},
    ]


def test_clouds_of_points_are_scatter_charts_however_they_are_drawn(plot):
    points = [[1, 3], [2, 4]]
    for code in ("plt.scatter([1, 2], [3, 4], label='c');", "plt.plot([1, 2], [3, 4], 'o', label='c');"):
        found = chart(plot(code))
        assert found["type"] == "scatter" and found["elements"] == [{"label": "c", "points": points}]


def test_points_that_are_masked_are_absent(plot):
    found = chart(plot("plt.scatter([1, 2], np.ma.masked_invalid([np.nan, 4]));"))
    assert found["elements"][0]["points"][-1] == [2, 4]


def test_dates_and_categories_keep_their_names(plot):
    days = "[datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 2, 12)]"
    for draw in ("plot", "scatter"):
        found = chart(plot("plt.%s(%s, [1, 2]);" % (draw, days)))
        assert found["x_scale"] == "datetime"
        assert found["elements"][0]["points"] == [["2020-01-01T00:00:00", 1], ["2020-01-02T12:00:00", 2]]
    found = chart(plot("plt.plot(['a', 'b'], [1, 2]);"))
    assert found["x_scale"] == "categorical" and found["elements"][0]["points"] == [["a", 1], ["b", 2]]


def test_bars_have_the_names_they_stand_at(plot):
    found = chart(plot("plt.bar(['a', 'b'], [1, 2], label='n');"))
    assert found["type"] == "bar" and found["x_tick_labels"] == ["a", "b"]
    (series,) = found["elements"]
    assert series["label"] == "n" and series["orientation"] == "vertical"
    assert series["bars"] == [{"label": "a", "value": 1}, {"label": "b", "value": 2}]


def test_bars_side_by_side_and_on_top_of_each_other(plot):
    code = "x = np.arange(2); plt.bar(x - .2, [1, 2], .4); plt.bar(x + .2, [3, 4], .4); plt.xticks(x, ['a', 'b']);"
    first, second = chart(plot(code))["elements"]
    assert first["bars"] == [{"label": "a", "value": 1}, {"label": "b", "value": 2}]
    assert second["bars"] == [{"label": "a", "value": 3}, {"label": "b", "value": 4}]
    lying = chart(plot("plt.barh(['a'], [2]); plt.barh(['a'], [3], left=2);"))["elements"]
    assert [series["orientation"] for series in lying] == ["horizontal"] * 2
    assert lying[1]["bars"] == [{"label": "a", "value": 3, "base": 2}]


def test_histograms_have_bins(plot):
    found = chart(plot("plt.hist([0, 1, 1, 2], bins=2);"))
    assert found["type"] == "histogram"
    assert found["elements"][0]["bars"] == [{"from": 0, "to": 1, "value": 1}, {"from": 1, "to": 2, "value": 3}]
    steps = chart(plot("plt.stairs([1, 3], [0, 1, 2]);"))
    assert steps["type"] == "histogram" and steps["elements"][0]["bars"] == found["elements"][0]["bars"]


def test_slices_of_a_pie_have_shares(plot):
    found = chart(plot("plt.pie([1, 3], labels=['p', 'q']);"))
    assert found["type"] == "pie"
    assert found["elements"][0]["slices"] == [{"label": "p", "share": 0.25}, {"label": "q", "share": 0.75}]


BOX = {"min": 1, "first_quartile": 2, "median": 3, "third_quartile": 4, "max": 4, "label": "1", "outliers": [20]}


@pytest.mark.parametrize("options", ["", ", patch_artist=True", ", vert=False", ", patch_artist=True, vert=False"])
def test_box_plots_are_put_together_again(plot, options):
    code = "import warnings; warnings.simplefilter('ignore'); plt.boxplot([[1, 2, 3, 4, 20], [5, 6, 7]]%s);"
    found = chart(plot(code % options))
    assert found["type"] == "box_and_whisker"
    boxes = found["elements"][0]["boxes"]
    assert boxes[0] == BOX and boxes[1]["median"] == 6 and boxes[1]["label"] == "2"


def test_a_rectangle_of_lines_is_no_box_plot(plot):
    assert chart(plot("plt.plot([0, 1, 1, 0, 0], [0, 0, 1, 1, 0]);"))["type"] == "line"


def test_pictures_and_heat_maps_have_a_shape_and_small_ones_their_values(plot):
    found = chart(plot("plt.imshow([[1, 2], [3, np.nan]]); plt.colorbar();"))
    assert found["type"] == "image"
    assert found["elements"] == [{"label": None, "shape": [2, 2], "rows": [[1, 2], [3, None]]}]
    assert chart(plot("plt.pcolormesh([[1, 2], [3, 4]]);"))["elements"][0]["rows"] == [[1, 2], [3, 4]]
    large = chart(plot("plt.imshow(np.zeros((300, 200, 3)));"))["elements"][0]
    assert large == {"label": None, "shape": [300, 200, 3], "truncated": True, "rows": []}


def test_error_bars_and_stems_are_one_series_with_its_label(plot):
    assert chart(plot("plt.errorbar([1, 2], [3, 4], yerr=1, capsize=3, label='e');"))["elements"] == [
        {"label": "e", "points": [[1, 3], [2, 4]]}
    ]
    assert chart(plot("plt.stem([1, 2], [3, 4], label='s');"))["elements"] == [{"label": "s", "points": [[1, 3], [2, 4]]}]


def test_lines_across_the_chart_are_told_where_they_are(plot):
    found = chart(plot("plt.plot([0, 10], [0, 1]); plt.xlim(0, 10); plt.axhline(.5, label='limit');"))
    assert found["elements"][1] == {"label": "limit", "points": [[0, 0.5], [10, 0.5]]}


def test_every_subplot_is_a_chart(plot):
    (charts,) = plot("f, a = plt.subplots(1, 2); a[0].plot([1]); a[1].bar(['x'], [1]); a[1].set_title('second');")
    assert [found["type"] for found in charts] == ["line", "bar"] and charts[1]["title"] == "second"


def test_what_is_not_understood_is_still_a_chart(plot):
    found = chart(plot("plt.fill_between([1, 2], [1, 2]); plt.title('area');"))
    assert found["type"] == "unknown" and found["title"] == "area" and found["elements"] == []
    assert chart(plot("plt.figure().add_subplot(projection='3d').plot([1], [2], [3]);"))["projection"] == "3d"


def test_long_series_are_an_even_choice_of_their_points(plot):
    (series,) = chart(plot("plt.plot(np.arange(1_000_000));"))["elements"]
    points = series["points"]
    assert series["truncated"] is True and series["total"] == 1000000 and len(points) == 1000
    assert points[0] == [0, 0] and points[-1] == [999999, 999999]
    many = chart(plot("plt.plot(np.zeros((100, 300)));"))
    assert many["truncated"] is True and len(many["elements"]) == 100
    assert len(json.dumps(many)) < 256 * 1024


def test_a_figure_as_value_and_one_shown_at_the_end_have_charts(plot):
    kernel = plot.kernel
    result = kernel.run("f = plt.figure(); f.add_subplot().plot([1, 2]); plt.close(f); f")
    assert result.of("execute_result")[0]["data"][CHART]["charts"][0]["type"] == "line"
    failed = kernel.run("plt.plot([1]); 1/0")
    assert failed.of("display_data")[0]["data"][CHART]["charts"][0]["type"] == "line"


def test_other_formats_of_pictures_and_other_backends_have_charts_too(plot):
    kernel = plot.kernel
    code = "%config InlineBackend.figure_formats = ['svg']\nplt.plot([1]); plt.show()"
    data = kernel.run(code).of("display_data")[0]["data"]
    assert "image/svg+xml" in data and CHART in data
    assert chart(plot("%matplotlib inline\n%config InlineBackend.figure_formats = ['png']\nplt.plot([1]); plt.show()"))


def test_artists_that_fail_do_not_keep_the_figure_from_being_shown(plot):
    code = """
from matplotlib.lines import Line2D
class Odd(Line2D):
    def get_label(self): raise ValueError()
    def get_linestyle(self): raise ValueError()
plt.gca().add_line(Line2D([1], [2])); plt.gca().lines[0].__class__ = Odd; plt.title('kept');
"""
    found = chart(plot(code))
    assert found["title"] == "kept" and found["type"] == "unknown"


def test_an_empty_figure_has_no_charts(plot):
    result = plot.kernel.run("plt.figure()\nplt.show()")
    assert result.status == "ok" and all(CHART not in content["data"] for content in result.of("display_data"))


def test_charts_can_be_turned_off(plot):
    result = plot.kernel.run("%config Charts.enabled = False\nplt.plot([1]); plt.show()")
    assert set(result.of("display_data")[0]["data"]) == {"image/png", "text/plain"}


def test_series_of_pandas_are_drawn_over_their_dates(plot):
    if plot.kernel.run("import pandas as pd").status != "ok":
        pytest.skip("pandas is not installed")
    found = chart(plot("pd.Series([1, 2], index=pd.date_range('2020-01-01', periods=2)).plot(); plt.show()"))
    assert found["x_scale"] == "datetime" and found["x_ticks"][0].startswith("20")
    assert found["elements"][0]["points"] == [["2020-01-01T00:00:00", 1], ["2020-01-02T00:00:00", 2]]
    grouped = chart(plot("pd.DataFrame({'a': [1, 2], 'b': [3, 4]}, index=['p', 'q']).plot.bar(); plt.show()"))
    assert [bar["label"] for bar in grouped["elements"][1]["bars"]] == ["p", "q"]


def test_notebooks_take_charts_and_tables(plot):
    nbformat = pytest.importorskip("nbformat")
    result = plot.kernel.run("plt.plot([1, 2]); plt.show()")
    outputs = [nbformat.v4.output_from_msg(message) for message in result.all if message["msg_type"] == "display_data"]
    cell = nbformat.v4.new_code_cell("", outputs=outputs)
    nbformat.validate(nbformat.v4.new_notebook(cells=[cell]))


def test_kernels_of_a_parent_that_has_imported_matplotlib_give_charts():
    parent = WarmParent("--preload", "matplotlib.pyplot")
    try:
        kernel = parent.spawn()
        if kernel.run("import matplotlib.pyplot as plt").status != "ok":
            pytest.skip("matplotlib is not installed")
        data = kernel.run("plt.plot([1, 2]); plt.show()").of("display_data")[0]["data"]
        assert "image/png" in data and data[CHART]["charts"][0]["elements"][0]["points"] == [[0, 1], [1, 2]]
    finally:
        parent.close()
