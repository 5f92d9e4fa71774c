"""Copies of kernels and ways back: of the daemon, and of a server over TCP."""

from __future__ import annotations

from pathlib import Path

import pytest

import husk
from husk import ExecutionResult, Husk, KernelRecord
from husk.aio import AsyncHusk
from support import asynchronous, until

PUMP = """\
import threading, time
t = threading.Thread(target=time.sleep, args=(600,), daemon=True, name="pump"); t.start()
"""


@pytest.fixture
def kernel(client: Husk, name: str) -> KernelRecord:
    made = client.get_or_create(name)
    client.execute(made, "x = 1")
    return made


def value(client: Husk, kernel: KernelRecord | str, expression: str = "x") -> str | None:
    return client.execute(kernel, expression).return_value


# Forks


def test_a_fork_has_the_variables_and_goes_its_own_way(client: Husk, kernel: KernelRecord) -> None:
    fork = client.fork(kernel, "other")
    client.execute(fork, "x = 2")
    assert (value(client, kernel), value(client, "other")) == ("1", "2")
    assert fork.name == "other" and fork.forked_from == kernel.kernel_id
    assert client.status(kernel).kernel.forked_from is None


def test_several_forks_have_the_names_they_were_given_or_none(client: Husk, kernel: KernelRecord) -> None:
    assert [fork.name for fork in client.forks(kernel, ["a", "b"])] == ["a", "b"]
    assert [fork.name for fork in client.forks(kernel, 2)] == [None, None]
    with pytest.raises(husk.KernelAlreadyExists):
        client.forks(kernel, ["c", "a"])
    assert "c" not in [found.name for found in client.list_kernels()]


@pytest.mark.parametrize("wanted", [0, 101, 10**12, []])
def test_too_few_and_too_many_forks_are_refused(
    client: Husk, kernel: KernelRecord, wanted: int | list[str]
) -> None:
    with pytest.raises(husk.InvalidRequest):
        client.forks(kernel, wanted)
    assert len(client.list_kernels()) == 1


def test_what_a_copy_would_lack_is_named(client: Husk, kernel: KernelRecord) -> None:
    client.execute(kernel, PUMP)
    for copy in (client.fork, client.checkpoint):
        with pytest.raises(husk.CopyRefused, match="pump"):
            copy(kernel)
    with pytest.raises(husk.CopyRefused, match="pump"):
        client.best_of(kernel, ["x = 2"])
    fork = client.fork(kernel, proceed=True)
    assert value(client, fork, "t.is_alive()") == "False"


def test_nobody_can_be_forked(client: Husk, home: Path) -> None:
    with pytest.raises(husk.KernelNotFound):
        client.fork("nobody", "other")
    with pytest.raises(husk.KernelNotFound):
        client.checkpoint("nobody")
    with pytest.raises(TypeError):
        client.fork(7)  # type: ignore[arg-type]


def test_a_promoted_fork_takes_its_originals_place(client: Husk, kernel: KernelRecord) -> None:
    fork = client.fork(kernel)
    client.execute(fork, "x = 2")
    assert client.promote(kernel, fork).kernel_id == kernel.kernel_id
    assert value(client, kernel) == "2"


# Checkpoints


def test_a_kernel_goes_back_to_its_checkpoints(client: Husk, kernel: KernelRecord) -> None:
    first = client.checkpoint(kernel, "first / ü")
    client.execute(kernel, "x = 2")
    second = client.checkpoint(kernel)
    client.execute(kernel, "x = 3")
    assert client.checkpoints(kernel) == [first, second]
    assert client.rollback(kernel) == second and value(client, kernel) == "2"
    assert client.rollback(kernel, "first / ü") == first and value(client, kernel) == "1"
    assert client.rollback(kernel, second) == second and value(client, kernel) == "2"
    client.drop_checkpoint(kernel, "first / ü")
    client.drop_checkpoint(kernel, second)
    assert client.checkpoints(kernel) == []
    for gone in (lambda: client.rollback(kernel), lambda: client.drop_checkpoint(kernel, "first / ü")):
        with pytest.raises(husk.CheckpointNotFound):
            gone()
    with pytest.raises(husk.CheckpointNotFound):
        client.drop_checkpoint(kernel, "")


def test_a_transaction_that_fails_leaves_no_trace(client: Husk, kernel: KernelRecord) -> None:
    with pytest.raises(ZeroDivisionError):
        with client.transaction(kernel):
            client.execute(kernel, "x = 2")
            raise ZeroDivisionError
    assert value(client, kernel) == "1" and client.checkpoints(kernel) == []


def test_a_transaction_that_succeeds_stays(client: Husk, kernel: KernelRecord) -> None:
    with client.transaction(kernel):
        client.execute(kernel, "x = 2")
    assert value(client, kernel) == "2" and client.checkpoints(kernel) == []
    with client.transaction(kernel):
        client.destroy(kernel)
    assert client.list_kernels() == []


# Executions


def test_code_is_taken_back_as_the_caller_says(client: Husk, kernel: KernelRecord) -> None:
    failed = client.execute(kernel, "x = 2; 1/0", rollback="on_error")
    assert (failed.status, failed.rolled_back, value(client, kernel)) == ("error", True, "1")
    assert not client.execute(kernel, "x = 3", rollback="on_error").rolled_back
    looked = client.execute(kernel, "x = 4; x", rollback="always")
    assert (looked.return_value, looked.rolled_back, value(client, kernel)) == ("4", True, "3")
    with pytest.raises(husk.InvalidRequest):
        client.execute(kernel, "x = 5", rollback="sometimes")


def test_every_attempt_begins_where_the_first_did(client: Husk, kernel: KernelRecord) -> None:
    def mend(result: ExecutionResult, attempt: int) -> str | None:
        return None if attempt < 2 else "x += 1; x"

    result = client.execute_with_retry(kernel, "x += 1; 1/0", mend, rollback=True)
    assert (len(result.attempts), result.return_value) == (3, "2")
    result = client.execute_with_retry(kernel, "x += 1; 1/0", mend)
    assert (len(result.attempts), result.return_value) == (3, "5")


# Best of several


def test_the_first_that_works_is_kept(client: Husk, kernel: KernelRecord) -> None:
    best = client.best_of(kernel, ["1/0", "x = 2", "x = 3"])
    assert best.winner == 1 and best.promoted and best.best is not None
    assert [variant.result.ok for variant in best.variants] == [False, True, True]
    assert value(client, kernel) == "2"
    until(lambda: len(client.list_kernels()) == 1, "tries are left")


def test_the_highest_score_wins_whoever_gives_it(client: Husk, kernel: KernelRecord) -> None:
    codes = ["y = x", "y = x + 9", "nonsense", "y = x + 5"]

    def score(fork: KernelRecord, result: ExecutionResult) -> float:
        return float(client.execute(fork, "y").return_value or "nan")

    for way in ("y", score):
        best = client.best_of(kernel, codes, score=way, deadline=60)
        assert best.winner == 1
        assert [variant.score for variant in best.variants] == [1, 10, None, 6]
        assert value(client, kernel, "y") == "10"
        client.execute(kernel, "del y")
    until(lambda: len(client.list_kernels()) == 1, "tries are left")


def test_a_score_that_raises_leaves_no_fork_behind(client: Husk, kernel: KernelRecord) -> None:
    def score(fork: KernelRecord, result: ExecutionResult) -> float:
        raise LookupError("no idea")

    with pytest.raises(LookupError):
        client.best_of(kernel, ["x = 2"], score=score)
    assert value(client, kernel) == "1" and len(client.list_kernels()) == 1


def test_none_that_works_leaves_the_kernel_as_it_was(client: Husk, kernel: KernelRecord) -> None:
    best = client.best_of(kernel, ["x = 2; 1/0"])
    assert (best.winner, best.best, best.promoted) == (None, None, False)
    assert value(client, kernel) == "1"


def test_one_piece_is_tried_with_many_seeds(client: Husk, kernel: KernelRecord) -> None:
    code = "import random; y = random.random()"
    here = client.best_of(
        kernel,
        code,
        seeds=[1, 2, 2**40],
        score=lambda fork, _: float(value(client, fork, "y") or "nan"),
        promote=False,
    )
    there = client.best_of(kernel, code, seeds=[1, 2, 2**40], score="y", promote=False)
    scores = [variant.score for variant in there.variants]
    assert scores == [variant.score for variant in here.variants] and len(set(scores)) == 3
    assert (here.winner, here.promoted) == (there.winner, False)
    with pytest.raises(husk.InvalidRequest):
        client.best_of(kernel, ["1", "2"], seeds=[1], score=lambda *_: 1)
    with pytest.raises(husk.InvalidRequest):
        client.best_of(kernel, ["1", "2"], seeds=[1])


# The functions, and the asynchronous twin


def test_the_functions_of_the_package_do_the_same(name: str) -> None:
    kernel = husk.get_or_create(name)
    husk.execute(kernel, "x = 1")
    husk.checkpoint(kernel, "clean")
    with pytest.raises(KeyError), husk.transaction(kernel):
        husk.execute(kernel, "x = 2")
        raise KeyError
    assert husk.execute(kernel, "x").return_value == "1"
    assert [found.label for found in husk.checkpoints(kernel)] == ["clean"]
    assert husk.best_of(kernel, ["x = 5"]).winner == 0
    husk.rollback(kernel, "clean")
    assert husk.execute(husk.fork(kernel, "other"), "x").return_value == "1"


@asynchronous
async def test_asynchronous_programs_can_do_it_too(name: str) -> None:
    async with AsyncHusk() as own:
        kernel = await own.get_or_create(name)
        await own.execute(kernel, "x = 1")
        kept = await own.checkpoint(kernel)
        assert (await own.execute(kernel, "x = 2; 1/0", rollback="on_error")).rolled_back
        assert (await own.best_of(kernel, ["x = 3"])).promoted
        assert (await own.execute(await own.fork(kernel), "x")).return_value == "3"
        assert await own.rollback(kernel) == kept
        assert (await own.execute(kernel, "x")).return_value == "1"
