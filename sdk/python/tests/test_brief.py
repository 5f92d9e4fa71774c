"""Results at a prompt, and the pictures in them as files."""

from __future__ import annotations

from pathlib import Path

from husk.model import ErrorInfo, ExecutionResult, OutputItem
from husk.rich import Image


def plotted() -> ExecutionResult:
    shown = OutputItem("display_data", "<Figure>", data={"image/png": "iVBOR" * 20_000, "text/plain": "<Figure>"})
    return ExecutionResult(
        "success",
        output="x" * 50_000,
        return_value="42",
        outputs=[OutputItem("stream", "x" * 50_000, "stdout"), *[shown] * 300],
        images=[Image("image/png", b"\x89PNG" * 5_000)],
        execution_id="0123456789abcdef",
    )


def test_repr_of_a_large_result_is_short_and_says_what_is_there() -> None:
    text = repr(plotted())
    assert len(text) < 3_000
    assert "status='success'" in text
    assert "return_value='42'" in text
    assert "(50,000 characters)" in text
    assert "<image/png, 20,000 bytes>" in text
    assert " more]" in text


def test_repr_leaves_out_what_says_nothing() -> None:
    assert repr(ExecutionResult("success")) == "ExecutionResult(status='success')"
    failed = ExecutionResult("error", error=ErrorInfo("NameError", "x", ["line"]))
    assert repr(failed) == (
        "ExecutionResult(status='error', error=ErrorInfo(ename='NameError', evalue='x', traceback=['line']))"
    )


def test_repr_of_an_empty_list_and_of_one_long_item() -> None:
    assert "outputs" not in repr(ExecutionResult("success", outputs=[]))
    assert "more" not in repr(ExecutionResult("success", truncated_fields=["a", "b"]))


def test_images_are_saved_as_files_in_a_folder_that_is_made(tmp_path: Path) -> None:
    saved = plotted().save_images(tmp_path / "plots")
    assert saved == [tmp_path / "plots" / "0123456789ab-1.png"]
    assert saved[0].read_bytes() == b"\x89PNG" * 5_000
    assert ExecutionResult("success").save_images(tmp_path / "none") == []
