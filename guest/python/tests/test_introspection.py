"""complete, inspect, is_complete and history."""


def test_completions_come_with_their_types(kernel):
    kernel.run("import collections; some_long_name = 5")
    reply = kernel.ask("complete_request", {"code": "some_lo", "cursor_pos": 7})
    assert reply["matches"] == ["some_long_name"] and (reply["cursor_start"], reply["cursor_end"]) == (0, 7)
    assert reply["metadata"]["_jupyter_types_experimental"][0]["text"] == "some_long_name"
    reply = kernel.ask("complete_request", {"code": "x = 1\ncollections.Ordered", "cursor_pos": 25})
    assert any("OrderedDict" in match for match in reply["matches"])


def test_completion_without_a_match_is_empty(kernel):
    reply = kernel.ask("complete_request", {"code": "zzzqqq", "cursor_pos": 6})
    assert reply["status"] == "ok" and reply["matches"] == []


def test_a_malformed_completion_request_is_an_error(kernel):
    assert kernel.ask("complete_request", {"cursor_pos": 6})["status"] == "error"


def test_inspection_shows_documentation(kernel):
    kernel.run("def f(a, b=2):\n    'Adds things.'\n    return a + b")
    reply = kernel.ask("inspect_request", {"code": "f(1)", "cursor_pos": 1, "detail_level": 0})
    assert reply["found"] and "Adds things." in reply["data"]["text/plain"]
    assert "\x1b" not in reply["data"]["text/plain"]
    reply = kernel.ask("inspect_request", {"code": "f(1)", "cursor_pos": 1, "detail_level": 1})
    assert "return a + b" in reply["data"]["text/plain"]
    assert kernel.ask("inspect_request", {"code": "nothing_here", "cursor_pos": 3})["found"] is False


def test_code_is_judged_complete_incomplete_or_invalid(kernel):
    assert kernel.ask("is_complete_request", {"code": "1 + 1"})["status"] == "complete"
    assert kernel.ask("is_complete_request", {"code": "for i in x:"}) == {"status": "incomplete", "indent": "    "}
    assert kernel.ask("is_complete_request", {"code": "1 = 2 ="})["status"] == "invalid"


def history(kernel, **asked):
    content = dict({"output": False, "raw": True, "hist_access_type": "tail", "n": 10}, **asked)
    return [tuple(entry) for entry in kernel.ask("history_request", content)["history"]]


def test_history_is_answered_from_memory(kernel):
    for code in ("a = 1", "a + 1", "a = 2", "a + 1"):
        kernel.run(code)
    assert history(kernel, n=2) == [(0, 3, "a = 2"), (0, 4, "a + 1")]
    assert [e[2] for e in history(kernel)] == ["a = 1", "a + 1", "a = 2", "a + 1"]
    assert history(kernel, hist_access_type="range", session=0, start=2, stop=4) == [(0, 2, "a + 1"), (0, 3, "a = 2")]
    assert [e[1] for e in history(kernel, hist_access_type="search", pattern="a =*", n=None)] == [1, 3]
    assert [e[1] for e in history(kernel, hist_access_type="search", pattern="a +*", unique=True, n=None)] == [4]
    assert [e[1] for e in history(kernel, hist_access_type="search", pattern="*", n=1)] == [4]
    assert history(kernel, n=1, output=True) == [(0, 4, ["a + 1", "3"])]


def test_the_history_magic_works(kernel):
    kernel.run("a = 1")
    assert "a = 1" in kernel.run("%history").stdout
