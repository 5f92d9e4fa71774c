"""Data frames as data: a schema and rows beside what is displayed, whatever stands in them."""

import json

import pytest
from harness import WarmParent

TABLE = "application/vnd.dataresource+json"


@pytest.fixture
def pandas(kernel):
    if kernel.run("import pandas as pd, numpy as np").status != "ok":
        pytest.skip("pandas is not installed")
    return kernel


def shown(result):
    assert result.status == "ok", result.reply
    (content,) = result.of("execute_result") + result.of("display_data")
    json.dumps(content, allow_nan=False)
    return content["data"]


def table(result):
    return shown(result)[TABLE]


def types(resource):
    return {field["name"]: field["type"] for field in resource["schema"]["fields"]}


def test_a_data_frame_is_also_given_as_rows_with_a_schema(pandas):
    result = pandas.run("pd.DataFrame({'a': [1, 2], 'b': ['x', 'y']})")
    assert set(shown(result)) == {"text/plain", "text/html", TABLE}
    assert table(result) == {
        "schema": {
            "fields": [
                {"name": "index", "type": "integer"},
                {"name": "a", "type": "integer"},
                {"name": "b", "type": "string"},
            ],
            "primaryKey": ["index"],
        },
        "data": [{"index": 0, "a": 1, "b": "x"}, {"index": 1, "a": 2, "b": "y"}],
        "truncated": False,
        "total_rows": 2,
        "total_columns": 2,
    }


def test_a_series_is_a_table_of_one_column(pandas):
    assert table(pandas.run("pd.Series([1.5], name='s')"))["data"] == [{"index": 0, "s": 1.5}]
    assert table(pandas.run("pd.Series([1.5], index=['p'])"))["data"] == [{"index": "p", "values": 1.5}]


def test_every_kind_of_column_has_its_type(pandas):
    code = """
pd.DataFrame({
    'whole': pd.array([1, None], dtype='Int64'), 'part': [1.5, np.nan], 'yes': [True, False],
    'when': pd.to_datetime(['2020-01-02 03:04', None]).tz_localize('Europe/Berlin'),
    'long': [pd.Timedelta('1h'), pd.NaT], 'one of': pd.Categorical(['u', 'v'], ordered=True),
    'month': pd.period_range('2020-01', periods=2, freq='M'), 'text': pd.array(['x', None], dtype='string'),
    'mixed': [1, 'one'], 'list': [[1, 2], []], 'complex': [1j, 2j]})
"""
    resource = table(pandas.run(code))
    kinds = types(resource)
    assert kinds == {
        "index": "integer", "whole": "integer", "part": "number", "yes": "boolean", "when": "datetime",
        "long": "duration", "one of": "any", "month": "string", "text": "string", "mixed": "any", "list": "array",
        "complex": "string",
    }  # fmt: skip
    first, second = resource["data"]
    assert first["when"] == "2020-01-02T03:04:00+01:00" and first["long"] == "P0DT1H0M0S"
    assert first["month"] == "2020-01-01T00:00:00" and first["list"] == [1, 2] and first["complex"] == "1j"
    absent = ("whole", "part", "when", "long", "text")
    assert [second[name] for name in absent] == [None] * len(absent)
    described = {field["name"]: field for field in resource["schema"]["fields"]}
    assert described["one of"]["constraints"] == {"enum": ["u", "v"]} and described["one of"]["ordered"] is True
    assert described["when"]["tz"] == "Europe/Berlin"


def test_numbers_without_a_json_form_are_absent(pandas):
    rows = table(pandas.run("pd.DataFrame({'f': [np.nan, np.inf, -np.inf], 'o': [np.float32('inf'), pd.NA, None]})"))
    assert all(row["f"] is None and row["o"] is None for row in rows["data"])


def test_numbers_of_very_many_digits_are_text(pandas):
    row = table(pandas.run("pd.DataFrame({'a': [[10 ** 300, 10 ** 1000]]})"))["data"][0]
    assert row["a"][0] == 10**300 and row["a"][1] == "1" + "0" * 1000


def test_columns_keep_apart_whatever_they_are_called(pandas):
    code = "pd.DataFrame([[1, 2, 3, 4, 5]], columns=['a', 'a', 7, pd.Timestamp('2020'), 'index'])"
    row = table(pandas.run(code))["data"][0]
    assert row == {"level_0": 0, "a": 1, "a.1": 2, "7": 3, "2020-01-01T00:00:00": 4, "index": 5}


def test_levels_of_rows_and_columns_are_named(pandas):
    code = """
rows = pd.MultiIndex.from_tuples([('p', 1), ('q', 2)], names=['key', None])
pd.DataFrame([[1, 2], [3, 4]], index=rows, columns=pd.MultiIndex.from_tuples([('a', 'x'), ('b', '')]))
"""
    resource = table(pandas.run(code))
    assert resource["schema"]["primaryKey"] == ["key", "level_1"]
    assert resource["data"][1] == {"key": "q", "level_1": 2, "a.x": 3, "b": 4}


def test_rows_that_share_an_index_have_no_key(pandas):
    assert "primaryKey" not in table(pandas.run("pd.DataFrame({'a': [1, 2]}, index=[5, 5])"))["schema"]


def test_empty_frames_are_tables_too(pandas):
    assert table(pandas.run("pd.DataFrame()"))["data"] == []
    assert table(pandas.run("pd.DataFrame({'a': []})"))["total_rows"] == 0
    assert table(pandas.run("pd.DataFrame(index=[1, 2])"))["data"] == [{"index": 1}, {"index": 2}]


def test_only_the_rows_given_are_ever_read(pandas):
    code = """
class Counted:
    asked = 0
    def __str__(self):
        Counted.asked += 1
        return 'c'
    __repr__ = __str__
frame = pd.DataFrame({'a': [Counted() for _ in range(20000)]})
frame
"""
    resource = table(pandas.run(code))
    assert len(resource["data"]) <= 500 and resource["truncated"] is True and resource["total_rows"] == 20000
    assert int(pandas.run("Counted.asked").value) < 2000


def test_ten_million_rows_are_displayed_like_few(pandas):
    resource = table(pandas.run("pd.DataFrame({'a': np.arange(10_000_000)})"))
    assert resource["total_rows"] == 10000000 and resource["data"][-1] == {"index": 499, "a": 499}


def test_long_texts_and_wide_frames_are_cut_and_say_so(pandas):
    resource = table(pandas.run("pd.DataFrame({'a': ['x' * 100000]})"))
    assert resource["truncated"] is True and 1000 < len(resource["data"][0]["a"]) < 10000
    wide = table(pandas.run("pd.DataFrame(np.zeros((3, 5000)))"))
    assert wide["truncated"] is True and wide["total_columns"] == 5000 and len(wide["schema"]["fields"]) < 500
    for cell in ("'\\x00' * 1900", "'\u2603' * 1900", "10 ** 300", "list(range(1000))"):
        data = shown(pandas.run("pd.DataFrame({'a': [%s] * 500, 'b': [%s] * 500})" % (cell, cell)))
        assert len(json.dumps(data[TABLE], ensure_ascii=False)) <= 256 * 1024 and data[TABLE]["truncated"] is True


def test_cells_that_cannot_be_printed_do_not_stop_the_others(pandas):
    code = """
class Hostile:
    def __init__(self, error): self.error = error
    def __str__(self): raise self.error
    __repr__ = __str__
loop = []; loop.append(loop)
frame = pd.DataFrame({'a': [1] * 300 + [Hostile(ValueError()), Hostile(SystemExit(3)), Hostile(MemoryError()), loop] + [2] * 90})
frame
"""
    result = pandas.run(code)
    cells = [row["a"] for row in table(result)["data"]]
    assert cells[300:303] == ["<unprintable Hostile>"] * 3 and cells[304:] == [2] * 90
    assert result.stdout == result.stderr == ""


def test_an_interrupt_is_not_swallowed(pandas):
    code = """
class Slow:
    def __str__(self): raise KeyboardInterrupt
frame = pd.DataFrame({'a': [1] * 300 + [Slow()] + [1] * 300})
frame
"""
    assert pandas.run(code).reply.get("ename") == "KeyboardInterrupt"


def test_a_frame_whose_data_cannot_be_had_is_displayed_all_the_same(pandas):
    code = """
class Odd(pd.DataFrame):
    @property
    def iloc(self): raise RuntimeError('not here')
    def __repr__(self): return 'odd'
    def _repr_html_(self): return None
Odd({'a': [1]})
"""
    result = pandas.run(code)
    assert shown(result) == {"text/plain": "odd"} and result.stderr == ""


def test_displays_updates_and_metadata_stay_as_they_are(pandas):
    result = pandas.run(
        "h = display(pd.DataFrame({'a': [1]}), display_id='d', metadata={'text/html': {'k': 1}});"
        "h.update(pd.DataFrame({'a': [2]}))"
    )
    (first,), (second,) = result.of("display_data"), result.of("update_display_data")
    assert first["metadata"] == {"text/html": {"k": 1}} and first["transient"] == {"display_id": "d"}
    assert first["data"][TABLE]["data"][0]["a"] == 1 and second["data"][TABLE]["data"][0]["a"] == 2
    only = pandas.run("display(pd.DataFrame({'a': [1]}), include=['text/plain'])").of("display_data")[0]
    assert set(only["data"]) == {"text/plain"}


def test_it_can_be_turned_off_and_limited(pandas):
    assert len(table(pandas.run("%config DataFrames.rows = 1\npd.DataFrame({'a': [1, 2]})"))["data"]) == 1
    assert TABLE not in shown(pandas.run("%config DataFrames.enabled = False\npd.DataFrame({'a': [1, 2]})"))
    assert TABLE in shown(pandas.run("%config DataFrames.enabled = True\npd.DataFrame({'a': [1, 2]})"))
    assert TABLE not in shown(pandas.run("pd.options.display.html.table_schema = False\npd.DataFrame({'a': [1]})"))


def test_objects_may_bring_a_table_of_their_own(kernel):
    code = "class T:\n  def _repr_data_resource_(self): return {'schema': {'fields': []}, 'data': []}\nT()"
    assert table(kernel.run(code)) == {"schema": {"fields": []}, "data": []}


def test_frames_of_polars_are_tables_too(kernel):
    if kernel.run("import polars as pl, datetime").status != "ok":
        pytest.skip("polars is not installed")
    code = (
        "pl.DataFrame({'a': [1, None], 'b': [1.5, float('nan')], 'c': ['x', None],"
        " 'd': [datetime.date(2020, 1, 2), None], 'e': [[1], []]})"
    )
    resource = table(kernel.run(code))
    assert types(resource) == {"a": "integer", "b": "number", "c": "string", "d": "datetime", "e": "array"}
    assert resource["data"][0] == {"a": 1, "b": 1.5, "c": "x", "d": "2020-01-02", "e": [1]}
    assert resource["data"][1] == {"a": None, "b": None, "c": None, "d": None, "e": []}
    assert table(kernel.run("pl.Series('s', range(1000))"))["total_rows"] == 1000


def test_a_kernel_does_not_import_what_it_can_read(kernel):
    code = "import sys; sorted({'pandas', 'numpy', 'matplotlib', 'polars'} & set(sys.modules))"
    assert kernel.run(code).value == "[]"


def test_kernels_of_a_parent_that_has_imported_pandas_give_tables():
    parent = WarmParent("--preload", "pandas")
    try:
        kernel = parent.spawn()
        if kernel.run("import pandas as pd").status != "ok":
            pytest.skip("pandas is not installed")
        assert table(kernel.run("pd.DataFrame({'a': [1]})"))["data"] == [{"index": 0, "a": 1}]
    finally:
        parent.close()
