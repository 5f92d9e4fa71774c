"""Sandboxes by name, and kernels that live in them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterator

import pytest

import husk


@pytest.fixture(autouse=True)
def none_left(home: Path) -> Iterator[None]:
    yield
    for known in husk.list_sandboxes():
        husk.remove_sandbox(known.name)


def test_a_sandbox_is_made_as_its_options_say() -> None:
    made = husk.create_sandbox(
        "made",
        profile="restrictive",
        limits={"memory_mb": 200},
        env={"COLOUR": "grün"},
        labels={"task": "eda"},
        description="for a test",
        ttl=3600,
    )
    info = made.info()
    assert (info.name, info.profile, info.network, info.running) == ("made", "restrictive", False, True)
    assert info.spec["limits"]["memory_mb"] == 200
    assert (info.labels, info.description) == ({"task": "eda"}, "for a test")
    assert info.expires_at
    assert husk.get_sandbox("made").exec(["sh", "-c", "echo $COLOUR"]).stdout == "grün\n"


def test_what_cannot_be_held_is_refused_and_nothing_is_made() -> None:
    with pytest.raises(husk.InvalidRequest):
        husk.create_sandbox("odd", profile="lenient")
    with pytest.raises(husk.InvalidRequest):
        husk.create_sandbox("odd", limits={"memroy_mb": 1})
    with pytest.raises(husk.InvalidRequest):
        husk.create_sandbox("odd", network=False, allow=["example.org"])
    assert husk.list_sandboxes() == []


def test_a_name_is_taken_once() -> None:
    husk.create_sandbox("one", started=False)
    with pytest.raises(husk.SandboxAlreadyExists):
        husk.create_sandbox("one")


def test_an_unknown_sandbox_is_an_error_of_its_own() -> None:
    for name in ("nobody", "", ".."):
        with pytest.raises(husk.SandboxNotFound):
            husk.get_sandbox(name)
    assert not husk.remove_sandbox("nobody")


def test_sandboxes_are_listed_by_their_labels() -> None:
    husk.create_sandbox("a", labels={"team": "x/y"}, started=False)
    husk.create_sandbox("b", labels={"team": "z"}, started=False)
    assert [known.name for known in husk.list_sandboxes()] == ["a", "b"]
    assert [known.name for known in husk.list_sandboxes({"team": "x/y"})] == ["a"]


def test_one_without_a_name_goes_with_its_block_and_a_named_one_stays() -> None:
    with husk.create_sandbox(started=False) as unnamed:
        assert husk.get_sandbox(unnamed.name).info().status == "created"
    with husk.create_sandbox("stays", started=False):
        pass
    assert [known.name for known in husk.list_sandboxes()] == ["stays"]


def test_labels_description_life_and_rules_are_changed() -> None:
    changed = husk.create_sandbox("changed", labels={"a": "1"}, started=False)
    assert changed.describe(labels={"b": "2"}).labels == {"b": "2"}
    assert changed.describe("new").description == "new"
    assert changed.extend(300).expires_at
    assert changed.deny("example.org").spec["egress"]["deny"] == ["example.org"]
    assert changed.allow("example.org").spec["egress"]["deny"] == []
    assert changed.forget("example.org").spec["egress"]["allow"] == []


def test_a_folder_of_the_caller_is_its_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    shared = husk.create_sandbox("shared", dir="here")
    shared.exec(["sh", "-c", "echo out > made"])
    assert (tmp_path / "here" / "made").read_text() == "out\n"


def test_a_kernel_shares_a_sandbox(name: str) -> None:
    shared = husk.create_sandbox("shared")
    shared.files.write("/workspace/note", "from outside")
    husk.create(name, sandbox=shared)
    assert husk.execute(name, "open('/workspace/note').read()").return_value == "'from outside'"


def test_a_kernel_gets_a_sandbox_of_its_own_under_a_profile(name: str) -> None:
    kernel = husk.get_or_create(name, backend="bubblewrap", profile="restrictive")
    assert kernel.backend == "bubblewrap"
    code = "import os; print(os.getcwd(), os.path.exists(%r))" % os.getcwd()
    assert husk.execute(kernel, code).output == "/workspace False\n"


def test_a_kernel_on_the_host_is_made_on_request(name: str) -> None:
    assert husk.create(name, backend="host").backend == "host"


def test_a_profile_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(husk.InvalidRequest):
        husk.create(name, backend="bubblewrap", profile="lenient")
