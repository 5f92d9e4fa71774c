"""A KernelBox program finds everything where it was: its documented examples, with one import changed."""

from __future__ import annotations

import dataclasses
import inspect
from pathlib import Path

import pytest

import husk
from husk import (
    AttemptSnapshot,
    ErrorInfo,
    ExecutionResult,
    KernelBoxConfig,
    KernelBoxError,
    KernelNotFound,
    KernelRecord,
    OutputItem,
    destroy,
    execute,
    execute_with_retry,
    get_or_create,
)


def test_the_thirty_second_demo_works(name: str) -> None:
    kernel = get_or_create("agent-sandbox")
    result = execute(kernel, "x = [1, 2, 3]\nsum(x)")
    assert (result.status, result.return_value) == ("success", "6")
    result = execute(kernel, "x.append(4)\nsum(x)")
    assert result.return_value == "10"
    assert destroy("agent-sandbox") is True


def test_every_documented_field_can_be_read(name: str) -> None:
    kernel = get_or_create(name)
    result = execute(kernel, "print('hello')\n2 + 2")
    assert result.status == "success"
    assert result.ok
    assert result.output == "hello\n"
    assert result.stderr == ""
    assert result.return_value == "4"
    assert result.error is None
    assert result.execution_count == 1
    assert result.duration_ms >= 0
    assert not result.truncated
    assert result.attempts == []
    assert [item.kind for item in result.outputs] == ["stream", "execute_result"]
    assert result.outputs[1].data["text/plain"] == "4"


def test_an_error_is_a_result(name: str) -> None:
    result = execute(get_or_create(name), "1 / 0")
    assert not result.ok
    assert result.error is not None
    assert (result.error.ename, result.error.evalue) == ("ZeroDivisionError", "division by zero")
    assert "\x1b" not in "".join(result.error.traceback)


def test_bash_runs_in_the_same_session(name: str) -> None:
    kernel = get_or_create(name)
    assert execute(kernel, "cd /tmp; echo $HOME", language="bash").ok
    assert execute(kernel, "pwd", language="bash").output == "/tmp\n"


def test_failing_code_is_mended_and_tried_again(name: str) -> None:
    seen = []

    def fix(result: ExecutionResult, attempt: int) -> str:
        assert result.error is not None
        seen.append((attempt, result.error.evalue))
        return f"# attempt {attempt}\nx = 41\nx + 1"

    result = execute_with_retry(get_or_create(name), "x + 1", on_error_fn=fix)
    assert (result.status, result.return_value) == ("success", "42")
    assert seen == [(1, "name 'x' is not defined")]
    assert [(a.attempt, a.code, a.status) for a in result.attempts] == [
        (1, "x + 1", "error"),
        (2, "# attempt 1\nx = 41\nx + 1", "success"),
    ]


def test_code_that_never_works_is_tried_as_often_as_the_variable_says(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERNELBOX_MAX_RETRIES", "2")
    result = execute_with_retry(name, "nonsense", lambda result, attempt: None)
    assert result.status == "max_attempts_exceeded"
    assert [a.code for a in result.attempts] == ["nonsense", "nonsense"]


def test_code_that_never_works_is_tried_five_times_by_default(name: str) -> None:
    assert len(execute_with_retry(name, "1/0", lambda r, a: None).attempts) == 5


def test_what_a_callback_raises_comes_through(name: str) -> None:
    def give_up(result: ExecutionResult, attempt: int) -> str:
        raise LookupError("no idea")

    with pytest.raises(LookupError, match="no idea"):
        execute_with_retry(name, "1/0", give_up)


def test_a_callback_that_gives_no_code_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match="on_error_fn gave int"):
        execute_with_retry(name, "1/0", lambda result, attempt: 7)  # type: ignore[arg-type, return-value]


def test_a_timeout_is_retried_and_says_so(name: str) -> None:
    seen = []

    def fix(result: ExecutionResult, attempt: int) -> str:
        seen.append(result.status)
        return "'quick'"

    kernel = get_or_create(name)
    result = execute_with_retry(kernel, "while True: pass", fix, timeout=0.3)
    assert (seen, result.return_value) == (["timeout"], "'quick'")


def test_no_attempts_at_all_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        execute_with_retry(name, "1", lambda r, a: None, max_attempts=0)


def test_attempts_are_counted_in_the_registry(name: str) -> None:
    kernel = get_or_create(name)
    execute_with_retry(kernel, "1/0", lambda r, a: None, max_attempts=3)
    assert get_or_create(name).attempt_count == 3


def test_the_state_of_a_pipeline_lasts_from_step_to_step(name: str, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text("a,b\n1,2\n3,\n5,6\n")
    kernel = get_or_create("pipeline", cwd=tmp_path)
    execute(kernel, "import csv")
    execute(kernel, "rows = list(csv.DictReader(open('data.csv')))")
    execute(kernel, "rows = [row for row in rows if all(row.values())]")
    assert execute(kernel, "len(rows), len(rows[0])").return_value == "(2, 2)"
    assert destroy("pipeline")


def test_an_unknown_name_is_made_and_an_unknown_record_is_not(name: str) -> None:
    assert execute("brand-new", "1 + 1").return_value == "2"
    kernel = get_or_create(name)
    assert destroy(kernel.kernel_id)
    with pytest.raises(KernelNotFound):
        execute(kernel, "1")
    assert not destroy(name)


def test_a_kernel_is_found_by_its_id(name: str) -> None:
    kernel = get_or_create(name)
    execute(kernel, "x = 5")
    assert execute(kernel.kernel_id, "x").return_value == "5"
    assert get_or_create(name).kernel_id == kernel.kernel_id


def test_a_record_has_all_its_fields(name: str) -> None:
    kernel = get_or_create(name, tags={"owner": "me"})
    assert len(kernel.kernel_id) == 32
    assert Path(kernel.connection_file).is_file()
    assert (kernel.name, kernel.session_name, kernel.status) == (name, name, "idle")
    assert kernel.tags == {"owner": "me"}
    assert kernel.attempt_count == 0
    assert 0 <= kernel.age_seconds < 600
    assert KernelRecord.from_dict(kernel.to_dict()) == kernel


def test_output_is_cut_at_the_limit_of_the_variable(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERNELBOX_OUTPUT_CHAR_LIMIT", "100")
    result = execute(name, "print('x' * 1000)")
    assert result.truncated
    assert len(result.output) <= 100
    assert result.truncated_fields


def test_a_timeout_of_the_variable_interrupts_the_code(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KERNELBOX_EXECUTION_TIMEOUT", "0.3")
    assert execute(name, "y = 1\nwhile True: pass").status == "timeout"
    assert execute(name, "y").return_value == "1"


def test_the_config_is_read_from_the_environment(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNELBOX_MAX_RETRIES", "7")
    monkeypatch.setenv("KERNELBOX_EXECUTION_TIMEOUT", "1.5")
    config = KernelBoxConfig.from_env()
    assert (config.max_retries, config.execution_timeout) == (7, 1.5)
    assert config.registry_path == home / "home" / "registry.db"
    monkeypatch.setenv("KERNELBOX_MAX_RETRIES", "many")
    with pytest.raises(ValueError, match="KERNELBOX_MAX_RETRIES is `many`"):
        KernelBoxConfig.from_env()


OWN = ("output_limit", "execution_id", "rollback", "preview", "images_dir")


def test_signatures_are_those_of_kernelbox() -> None:
    def parameters(function: object) -> list[tuple[str, bool]]:
        keyword = inspect.Parameter.KEYWORD_ONLY
        found = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
        return [(p.name, p.kind is keyword) for p in found]

    assert parameters(get_or_create)[0] == ("name", False)
    kernelboxes = [
        ("kernel", False),
        ("code", False),
        ("language", True),
        ("timeout", True),
    ]
    assert parameters(execute) == [*kernelboxes, *((own, True) for own in OWN)]  # what is ours comes by name alone
    assert parameters(execute_with_retry) == [
        ("kernel", False),
        ("code", False),
        ("on_error_fn", False),
        ("max_attempts", True),
        ("language", True),
        ("timeout", True),
        ("output_limit", True),
        ("rollback", True),
    ]
    assert parameters(destroy) == [("name_or_id", False)]


def test_dataclasses_begin_with_kernelboxs_fields_in_their_order() -> None:
    def fields(kind: type) -> list[str]:
        return [field.name for field in dataclasses.fields(kind)]

    result = "status output stderr error return_value execution_count duration_ms outputs attempts truncated"
    record = "kernel_id connection_file name created_at last_used_at status session_name attempt_count tags"
    assert fields(ExecutionResult)[:10] == result.split()
    assert fields(KernelRecord)[:9] == record.split()
    assert fields(OutputItem) == ["kind", "text", "name", "data", "metadata"]
    assert fields(ErrorInfo) == ["ename", "evalue", "traceback"]
    assert fields(AttemptSnapshot) == ["attempt", "code", "status", "output", "stderr", "error"]


def test_every_error_can_be_caught_by_kernelboxs_name(name: str) -> None:
    kernel = get_or_create(name)
    for call in (
        lambda: execute(name, "1", language="cobol"),
        lambda: husk.create(name),
        lambda: husk.status("nobody"),
        lambda: get_or_create("a\nb"),
        lambda: get_or_create(" "),
    ):
        with pytest.raises(KernelBoxError) as caught:
            call()
        assert caught.value.message and caught.value.code != "internal"
    with pytest.raises(ValueError):
        execute(kernel, "1", language="cobol")
    with pytest.raises(husk.KernelAlreadyExists):
        husk.create(name)
