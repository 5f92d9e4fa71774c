"""Results for agents: text in order, pictures, tables, charts."""

from __future__ import annotations

from pathlib import Path

import husk
from husk import ErrorInfo, ExecutionResult, Image, OutputItem

PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
SHOW_PIXEL = f"display({{'image/png': {PIXEL!r}, 'text/plain': 'a pixel'}}, raw=True)\n"


def test_a_cell_that_prints_draws_and_raises_keeps_all_of_it(name: str, tmp_path: Path) -> None:
    result = husk.execute(name, f"print('one', end='')\n{SHOW_PIXEL}print('two')\n1/0")
    assert result.status == "error"
    assert result.text.startswith("one\na pixel\ntwo\n")
    assert "Traceback" in result.text and "division by zero" in result.text
    assert [image.mime for image in result.images] == ["image/png"]
    saved = result.images[0].save(tmp_path / "pixel")
    assert saved.name == "pixel.png"
    assert saved.read_bytes().startswith(b"\x89PNG")


def test_a_timeout_is_in_the_text(name: str) -> None:
    result = husk.execute(name, "print('begun')\nwhile True: pass", timeout=0.3)
    assert result.text.startswith("begun\n")
    assert "ran longer than 0.3 s" in result.text


def test_vector_graphics_are_text(name: str) -> None:
    result = husk.execute(name, "from IPython.display import SVG; SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')")
    assert [(i.mime, i.extension) for i in result.images] == [("image/svg+xml", "svg")]
    assert result.images[0].data.startswith(b"<svg")


def test_tables_and_charts_are_data() -> None:
    table = {"schema": {"fields": [{"name": "a"}]}, "data": [{"a": 1}]}
    outputs = [
        OutputItem("display_data", "t", data={"application/vnd.dataresource+json": table}),
        OutputItem("display_data", "c", data={"application/vnd.husk.chart+json": '{"type": "line"}'}),
    ]
    result = ExecutionResult("success", outputs=outputs)
    assert result.data_frames == [table]
    assert result.charts == [{"type": "line"}]


def test_an_error_that_no_output_tells_is_told_at_the_end() -> None:
    error = ErrorInfo("KernelDied", "killed by signal 9")
    result = ExecutionResult("died", outputs=[OutputItem("stream", "x", "stdout")], error=error)
    assert result.text == "x\nKernelDied: killed by signal 9\n"


def test_a_result_survives_being_written_and_read() -> None:
    result = ExecutionResult(
        "error",
        error=ErrorInfo("E", "v", ["t"]),
        outputs=[OutputItem("stream", "x", "stdout")],
        images=[Image("image/png", b"\x89PNG"), Image("image/svg+xml", b"<svg/>")],
        attempts=[husk.AttemptSnapshot(1, "c", "error", error=ErrorInfo("E", "v"))],
        death=husk.Death("signalled", signal=9),
    )
    assert ExecutionResult.from_dict(result.to_dict()) == result


def test_fields_of_a_newer_server_are_passed_over() -> None:
    assert ExecutionResult.from_dict({"status": "success", "novelty": 1}).ok
    assert husk.KernelRecord.from_dict({"kernel_id": "1", "connection_file": "", "novelty": 1}).kernel_id == "1"


def test_a_picture_that_is_none_spoils_no_result() -> None:
    result = ExecutionResult.from_dict(
        {"status": "success", "images": [{"mime": "image/png", "data": "no base64!"}]}
    )
    assert result.images[0].data == b"no base64!"


def test_what_was_left_out_is_said_in_the_text() -> None:
    outputs = [OutputItem("stream", "begin", "stdout")]
    error = ErrorInfo("ValueError", "bad")
    cut = ExecutionResult("error", outputs=outputs, error=error, truncated_fields=["output"])
    assert cut.text == "begin\n...[truncated by husk]...\nValueError: bad\n"
    assert "truncated" not in ExecutionResult("success", outputs=outputs, truncated_fields=[]).text


def test_pictures_are_saved_on_request_and_named_where_they_were(name: str, tmp_path: Path) -> None:
    result = husk.execute(name, SHOW_PIXEL, images_dir=tmp_path / "plots")
    (saved,) = (tmp_path / "plots").iterdir()
    assert saved.read_bytes().startswith(b"\x89PNG")
    assert result.images[0].path == str(saved)
    assert result.outputs[0].data["image/png"] == str(saved)
    assert PIXEL not in repr(result.to_dict())
    assert ExecutionResult.from_dict(result.to_dict()) == result
