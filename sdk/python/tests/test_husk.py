"""What Husk does beyond KernelBox."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from pathlib import Path

import pytest

import husk
from husk import Husk, KernelBoxConfig
from husk.errors import from_answer


def test_a_kernel_is_made_as_the_options_say(name: str, tmp_path: Path) -> None:
    kernel = husk.get_or_create(
        name, cwd=tmp_path, env={"COLOUR": "grün"}, startup_code="ready = 1", idle_timeout=77
    )
    result = husk.execute(kernel, "import os\nprint(os.getcwd(), os.environ['COLOUR'], ready)")
    assert result.output == f"{tmp_path} grün 1\n"
    assert kernel.idle_timeout == 77


def test_secrets_of_the_caller_do_not_reach_kernels(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLOUD_TOKEN", "secret")
    monkeypatch.setenv("HUSK_API_KEY", "secret")
    assert husk.execute(name, "import os; 'secret' in str(os.environ)").return_value == "False"


def test_a_kernel_starts_where_its_caller_is(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert husk.execute(name, "import os; os.getcwd()").return_value == f"'{tmp_path}'"


def test_a_caller_whose_directory_is_gone_is_served(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert husk.execute(name, "1").ok


def test_variables_that_are_no_text_stay_here(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", os.fsdecode(b"\xff"))
    odd = tmp_path / os.fsdecode(b"\xfe")
    odd.mkdir()
    monkeypatch.chdir(odd)
    assert husk.execute(name, "import os; os.environ.get('TERM')").return_value is None


def test_names_may_hold_anything_printable(name: str) -> None:
    for odd in ("..", ".", "a/b", "a?b#c%d", "ümläut 🦀", "'; drop", "x" * 200):
        kernel = husk.get_or_create(odd)
        assert kernel.name == odd
        husk.execute(odd, "mark = 1")
        assert husk.execute(kernel, "mark").return_value == "1"
        assert husk.destroy(odd)


@pytest.mark.parametrize("odd", ["", " ", "a\nb", "x" * 201, "\ud800"])
def test_other_names_are_refused(home: Path, odd: str) -> None:
    with pytest.raises(husk.KernelBoxError):
        husk.get_or_create(odd)


def test_an_empty_name_never_means_all_kernels(name: str) -> None:
    kernel = husk.get_or_create(name)
    assert not husk.destroy("")
    assert husk.status(kernel).alive


def test_code_may_hold_anything(name: str) -> None:
    for text in ("'\\x00'", "'\U0001f980'", "'\\ud800'.encode('utf8', 'replace')"):
        assert husk.execute(name, f"repr({text})").ok
    assert husk.execute(name, "len('" + "x" * 3_000_000 + "')").return_value == "3000000"
    assert husk.execute(name, "").ok


@pytest.mark.parametrize("timeout", [-1, float("nan")])
def test_no_length_of_time_is_refused(name: str, timeout: float) -> None:
    with pytest.raises(ValueError, match="timeout"):
        husk.execute(name, "1", timeout=timeout)


def test_an_infinite_timeout_is_none(name: str) -> None:
    assert husk.execute(name, "1", timeout=float("inf")).ok


def test_wrong_types_are_told_apart_from_code(name: str) -> None:
    with pytest.raises(TypeError, match="code is bytes"):
        husk.execute(name, b"1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not by int"):
        husk.execute(7, "1")  # type: ignore[arg-type]


def test_kernels_are_listed_looked_at_restarted_and_wiped(name: str) -> None:
    kernel = husk.get_or_create(name)
    other = husk.create()
    assert [k.kernel_id for k in husk.list_kernels()] == [kernel.kernel_id, other.kernel_id]
    health = husk.status(name)
    assert health.alive and health.responsive
    husk.execute(kernel, "x = 1")
    assert husk.restart(kernel).kernel_id == kernel.kernel_id
    assert husk.execute(kernel, "x").status == "error"
    assert set(husk.wipe()) == {kernel.kernel_id, other.kernel_id}
    assert husk.list_kernels() == []


def test_events_come_while_the_code_runs(name: str, tmp_path: Path) -> None:
    go = tmp_path / "go"
    code = f"""
import os, sys, time
print("first")
while not os.path.exists({str(go)!r}): time.sleep(0.01)
print("second", file=sys.stderr)
display(3)
4
"""
    seen = []
    for event in husk.stream(name, code):
        if isinstance(event, husk.Stream) and event.text == "first\n":
            go.touch()  # the code waits for this: the event came before its end
        seen.append(event)
    assert isinstance(seen[0], husk.Started)
    assert [e.text for e in seen if isinstance(e, husk.Stream)] == ["first\n", "second\n"]
    assert [e.item.text for e in seen if isinstance(e, husk.Display)] == ["3", "4"]
    assert isinstance(seen[-1], husk.Ended)
    assert seen[-1].result.text == "first\nsecond\n3\n4\n"


def test_who_leaves_the_loop_cancels_the_code(name: str) -> None:
    kernel = husk.get_or_create(name)
    events = husk.stream(kernel, "y = 1\nwhile True: print('.', end='', flush=True)")
    started = next(events)
    assert isinstance(started, husk.Started)
    next(events)
    events.close()  # type: ignore[attr-defined]
    assert husk.result(started.execution_id).status == "cancelled"
    assert husk.execute(kernel, "y").return_value == "1"


def test_a_large_stream_comes_whole(name: str) -> None:
    code = "for i in range(200): print(str(i % 10) * 100_000)"
    size = sum(len(e.text) for e in husk.stream(name, code) if isinstance(e, husk.Stream))
    assert size == 200 * 100_001


def test_a_refusal_ends_a_stream_before_it_begins(name: str) -> None:
    kernel = husk.get_or_create(name)
    husk.destroy(kernel)
    with pytest.raises(husk.KernelNotFound):
        next(husk.stream(kernel, "1"))


def test_an_execution_is_interrupted_from_another_thread(name: str) -> None:
    kernel = husk.get_or_create(name)
    started = threading.Event()

    def interrupt() -> None:
        started.wait()
        husk.interrupt(kernel)

    thread = threading.Thread(target=interrupt)
    thread.start()
    events = []
    for event in husk.stream(kernel, "print('on')\nimport time\ntime.sleep(600)"):
        events.append(event)
        if isinstance(event, husk.Stream):
            started.set()
    thread.join()
    assert isinstance(events[-1], husk.Ended)
    error = events[-1].result.error
    assert error is not None and error.ename == "KeyboardInterrupt"


def test_an_execution_is_cancelled_and_its_result_kept(name: str) -> None:
    execution_id = "0123456789abcdef" * 2
    default = husk.default_husk()
    cancelled = threading.Thread(target=lambda: _cancel_when_known(execution_id))
    cancelled.start()
    result = default.execute(name, "import time; time.sleep(600)", execution_id=execution_id)
    cancelled.join()
    assert result.status == "cancelled"
    assert husk.result(execution_id).status == "cancelled"
    assert husk.cancel(execution_id) is False


def _cancel_when_known(execution_id: str) -> None:
    while True:
        try:
            husk.cancel(execution_id)
            return
        except husk.ExecutionNotFound:
            time.sleep(0.02)


def test_an_execution_id_is_good_for_one_execution(name: str) -> None:
    with Husk() as own:
        own.execute(name, "n = 1", execution_id="a" * 32)
        with pytest.raises(husk.InvalidRequest):
            own.execute(name, "n += 1", execution_id="a" * 32)
        assert own.execute(name, "n").return_value == "1"


def test_an_exception_of_a_signal_handler_cancels_the_code(name: str) -> None:
    kernel = husk.get_or_create(name)

    def late(*_: object) -> None:
        raise TimeoutError("late")

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 1.0)
    try:
        with pytest.raises(TimeoutError, match="late"):
            husk.execute(kernel, "z = 1\nimport time; time.sleep(600)")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert husk.execute(kernel, "z").return_value == "1"


def test_the_death_of_a_kernel_is_a_result(name: str) -> None:
    husk.execute(name, "x = 1")
    result = husk.execute(name, "import os; print('last words', flush=True); os._exit(3)")
    assert result.status == "died"
    assert "last words" in result.output
    assert result.death is not None and result.death.exit_code == 3
    assert husk.execute(name, "1").state_lost


def test_a_closed_husk_serves_nobody(home: Path) -> None:
    closed = Husk()
    closed.list_kernels()
    closed.close()
    with pytest.raises(husk.HuskError, match="closed"):
        closed.list_kernels()


def test_a_config_goes_before_the_environment(name: str) -> None:
    config = KernelBoxConfig(execution_timeout=0.3, max_retries=2)
    with Husk(config=config) as impatient:
        assert impatient.execute(name, "while True: pass").status == "timeout"
        assert len(impatient.execute_with_retry(name, "1/0", lambda r, a: None).attempts) == 2


def test_settings_of_the_home_hold_for_retries(name: str, home: Path) -> None:
    settings = home / "home" / "husk.toml"
    before = settings.read_text()
    settings.write_text(before + "max-retries = 3\n")
    try:
        assert len(husk.execute_with_retry(name, "1/0", lambda r, a: None).attempts) == 3
    finally:
        settings.write_text(before)


def test_errors_say_what_to_do_and_survive_pickling(home: Path) -> None:
    with pytest.raises(husk.KernelNotFound) as caught:
        husk.status("nobody")
    error = caught.value
    assert error.code == "kernel_not_found"
    assert error.remedies and f"hint: {error.remedies[0]}" in str(error)
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), copy.code, str(copy)) == (type(error), error.code, str(error))


@pytest.mark.parametrize(
    ("status", "body", "text"),
    [
        (500, b"<html>oops</html>", "oops"),
        (502, b"", "502"),
        (404, b'{"detail": "Unknown kernel: x"}', "Unknown kernel: x"),
        (422, b'{"detail": [{"loc": ["body", "code"], "msg": "missing"}]}', "body.code: missing"),
        (500, b"[1]", "500"),
        (400, b'{"error": "text"}', "400"),
    ],
)
def test_any_failed_answer_becomes_an_error(status: int, body: bytes, text: str) -> None:
    error = from_answer(status, body)
    assert isinstance(error, husk.KernelBoxError)
    assert text in str(error)
