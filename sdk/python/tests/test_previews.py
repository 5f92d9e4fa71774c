"""What has changed in a kernel, and what code would change: of the daemon, and of a server over TCP."""

from __future__ import annotations

import pickle

import pytest

import husk
from husk import Husk, KernelRecord, StateDiff
from husk.aio import AsyncHusk
from support import asynchronous

PUMP = """\
import threading, time
t = threading.Thread(target=time.sleep, args=(600,), daemon=True, name="pump"); t.start()
"""


@pytest.fixture
def kernel(client: Husk, name: str) -> KernelRecord:
    made = client.get_or_create(name)
    client.execute(made, "x = 1; gone = 'g'")
    return made


def value(client: Husk, kernel: KernelRecord, expression: str = "x") -> str | None:
    return client.execute(kernel, expression).return_value


def changes(diff: StateDiff) -> tuple[list[str], list[str], list[str]]:
    kinds = (diff.variables.added, diff.variables.removed, diff.variables.changed)
    added, removed, changed = ([change.name for change in kind] for kind in kinds)
    return added, removed, changed


def test_what_has_changed_since_a_checkpoint_is_told(client: Husk, kernel: KernelRecord) -> None:
    first = client.checkpoint(kernel, "first / ü")
    assert not client.diff(kernel).variables
    client.execute(kernel, "x = [1, 2]; del gone; new = 1")
    diff = client.diff(kernel, first)
    assert (diff.against, changes(diff), diff.partial) == ("first / ü", (["new"], ["gone"], ["x"]), False)
    change = diff.variables.changed[0]
    assert change.before is not None and change.after is not None
    assert (change.before.type, change.after.type, change.after.shape) == ("int", "list", [2])
    assert changes(client.diff(kernel, "first / ü")) == changes(client.diff(kernel)) == changes(diff)


def test_a_fork_is_compared_with_its_original(client: Husk, kernel: KernelRecord) -> None:
    fork = client.fork(kernel)
    client.execute(fork, "mine = 1")
    assert changes(client.diff(fork, fork=kernel)) == (["mine"], [], [])
    assert changes(client.diff(kernel, fork=fork)) == ([], ["mine"], [])


def test_what_is_not_there_is_not_compared_with(client: Husk, kernel: KernelRecord) -> None:
    with pytest.raises(husk.CheckpointNotFound):
        client.diff(kernel)
    with pytest.raises(husk.CheckpointNotFound):
        client.diff(kernel, "nope")
    with pytest.raises(husk.KernelNotFound):
        client.diff(kernel, fork="nobody")
    with pytest.raises(husk.InvalidRequest):
        client.diff(kernel, "a", fork="b")


def test_a_preview_is_kept_or_discarded(client: Husk, kernel: KernelRecord) -> None:
    result = client.execute(kernel, "x = 2; import subprocess; r = subprocess.run(['true'])", preview=True)
    assert result.effects is not None and result.effects.variables is not None
    assert result.effects.checkpoint == "preview"
    assert [change.name for change in result.effects.variables.changed] == ["x"]
    assert [(process.argv, process.running) for process in result.effects.processes or ()] == [(["true"], False)]
    assert result.execution_id is not None and client.result(result.execution_id) == result
    with pytest.raises(husk.PreviewOpen):
        client.execute(kernel, "x = 3", preview=True)
    assert client.discard(kernel).kernel_id == kernel.kernel_id
    assert value(client, kernel) == "1"
    client.execute(kernel, "x = 4", preview=True)
    client.keep(kernel)
    assert value(client, kernel) == "4"
    for decide in (client.keep, client.discard):
        with pytest.raises(husk.CheckpointNotFound):
            decide(kernel)


def test_a_preview_may_be_decided_on_at_once(client: Husk, kernel: KernelRecord) -> None:
    result = client.execute(kernel, "x = 2", preview=True, rollback="always")
    assert result.rolled_back and result.effects is not None and result.effects.checkpoint is None
    assert value(client, kernel) == "1" and client.checkpoints(kernel) == []
    assert client.execute(kernel, "x").effects is None


def test_what_a_copy_would_lack_is_there_as_data(client: Husk, kernel: KernelRecord) -> None:
    client.execute(kernel, PUMP)
    with pytest.raises(husk.CopyRefused) as refused:
        client.execute(kernel, "x = 2", preview=True)
    assert [(hazard.kind, hazard.name) for hazard in refused.value.hazards] == [("thread", "pump")]
    assert pickle.loads(pickle.dumps(refused.value)).hazards == refused.value.hazards
    best = client.best_of(kernel, ["x = 2"], score=lambda *_: 1, promote=False, proceed=True)
    assert [hazard.name for hazard in best.hazards] == ["pump"]
    assert value(client, kernel) == "1"


def test_the_functions_of_the_package_do_the_same(name: str) -> None:
    kernel = husk.get_or_create(name)
    husk.checkpoint(kernel)
    assert husk.execute(kernel, "x = 1", preview=True).effects is not None
    assert changes(husk.diff(kernel, fork=husk.fork(kernel))) == ([], [], [])
    husk.discard(kernel)
    husk.execute(kernel, "x = 1", preview=True)
    husk.keep(kernel)
    assert changes(husk.diff(kernel)) == (["x"], [], [])


@asynchronous
async def test_asynchronous_programs_can_do_it_too(name: str) -> None:
    async with AsyncHusk() as own:
        kernel = await own.get_or_create(name)
        await own.checkpoint(kernel)
        assert (await own.execute(kernel, "x = 1", preview=True)).effects is not None
        await own.keep(kernel)
        assert changes(await own.diff(kernel)) == (["x"], [], [])
        await own.execute(kernel, "x = 2", preview=True)
        await own.discard(kernel)
        assert (await own.execute(kernel, "x")).return_value == "1"
