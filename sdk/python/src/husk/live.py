"""Live state: copies of running kernels, and ways back to what they were."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Callable, Iterator, List, Mapping, Sequence, Union

from husk.errors import CheckpointNotFound, InvalidRequest, KernelNotFound
from husk.live_model import BestOf, Checkpoint, Forked
from husk.model import ExecutionResult, KernelRecord
from husk.paths import kernel_path, query, segment
from husk.scored_here import ScoredHere
from husk.state import StateDiff

if TYPE_CHECKING:
    from husk.connections import Connections

Kernel = Union[KernelRecord, str]
Score = Callable[[KernelRecord, ExecutionResult], float]
"""Given a fork, still alive, and what its try gave, says how good that is; the highest wins."""


class LiveState:
    """What a `Husk` can do with the state of running kernels.

    Only Husk's own Python kernel can be copied. What a copy would lack (threads, running tasks, connections,
    child processes) is found beforehand and refused as `CopyRefused`, unless ``proceed`` says otherwise.
    """

    _connections: Connections

    def _caller(self) -> Mapping[str, Any]:
        raise NotImplementedError

    def execute(
        self, kernel: Kernel, code: str, *, timeout: float | None = None
    ) -> ExecutionResult:
        raise NotImplementedError

    def destroy(self, name_or_id: Kernel) -> bool:
        raise NotImplementedError

    # Forks

    def fork(self, kernel: Kernel, name: str | None = None, *, proceed: bool = False) -> KernelRecord:
        """A running copy with all variables, imports and files; without a name it is known by its id.

        Raises:
            CopyRefused: The copy would lack something of the kernel, and ``proceed`` is not set.
            KernelAlreadyExists: A living kernel has the name.
        """
        wanted = {} if name is None else {"names": [name]}
        return self._fork(kernel, wanted, proceed).kernels[0]

    def forks(
        self, kernel: Kernel, names: Union[int, Sequence[str]], *, proceed: bool = False
    ) -> List[KernelRecord]:
        """Copies of one moment: one for each name, or as many as the number says, without names."""
        wanted = {"count": names} if isinstance(names, int) else {"names": list(names)}
        return self._fork(kernel, wanted, proceed).kernels

    def _fork(self, kernel: Kernel, wanted: Mapping[str, Any], proceed: bool) -> Forked:
        return Forked.from_dict(self._post(kernel, "fork", {**wanted, "proceed": proceed}))

    def promote(self, kernel: Kernel, fork: Kernel) -> KernelRecord:
        """Gives a kernel the variables and files of one of its forks; the fork lives on."""
        answer = self._post(kernel, "promote", {"fork": _identifier(fork)})
        return KernelRecord.from_dict(answer)

    # Checkpoints

    def checkpoint(
        self, kernel: Kernel, label: str | None = None, *, proceed: bool = False
    ) -> Checkpoint:
        """Keeps a kernel's variables and files as they are now, to go back to."""
        body = {"label": label, "proceed": proceed}
        return Checkpoint.from_dict(self._post(kernel, "checkpoints", body)["checkpoint"])

    def checkpoints(self, kernel: Kernel) -> List[Checkpoint]:
        """A kernel's checkpoints, the oldest first."""
        answer = self._connections.ask("GET", f"{_path(kernel)}/checkpoints")
        return [Checkpoint.from_dict(checkpoint) for checkpoint in answer["checkpoints"]]

    def rollback(self, kernel: Kernel, to: Union[Checkpoint, str, None] = None) -> Checkpoint:
        """Takes a kernel, alive or dead, back to a checkpoint: the latest, or one by its label or id.

        Raises:
            CheckpointNotFound: It has no such checkpoint.
        """
        answer = self._post(kernel, "rollback", {"to": _label(to)})
        return Checkpoint.from_dict(answer["checkpoint"])

    def drop_checkpoint(self, kernel: Kernel, checkpoint: Union[Checkpoint, str]) -> None:
        """Lets go of a checkpoint and of the memory it holds."""
        label = _label(checkpoint)
        if not label:
            raise CheckpointNotFound("Unknown checkpoint: its label or id is empty")
        self._connections.ask_once("DELETE", f"{_path(kernel)}/checkpoints/{segment(label)}")

    @contextlib.contextmanager
    def transaction(self, kernel: Kernel) -> Iterator[Checkpoint]:
        """A block that leaves the kernel as it was, should an exception leave the block."""
        before = self.checkpoint(kernel)
        try:
            yield before
        except BaseException:
            with contextlib.suppress(KernelNotFound, CheckpointNotFound):
                self.rollback(kernel, before)
            raise
        finally:
            with contextlib.suppress(KernelNotFound, CheckpointNotFound):
                self.drop_checkpoint(kernel, before)

    # Differences and previews

    def diff(
        self,
        kernel: Kernel,
        checkpoint: Union[Checkpoint, str, None] = None,
        *,
        fork: Kernel | None = None,
    ) -> StateDiff:
        """How a kernel differs from what it was at a checkpoint, the latest unless one is named.

        With ``fork`` it is compared with that kernel instead: what only ``kernel`` has is added.

        Raises:
            CheckpointNotFound: It has no such checkpoint.
        """
        if checkpoint is not None and fork is not None:
            raise InvalidRequest("both a checkpoint and a fork to compare with", ["give one of them"])
        wanted = {"checkpoint": _label(checkpoint)} if fork is None else {"with": _identifier(fork)}
        given = {name: value for name, value in wanted.items() if value is not None}
        path = f"{_path(kernel)}/diff" + (query(**given) if given else "")
        answer = self._connections.ask("GET", path)
        return StateDiff.from_dict(answer)

    def keep(self, kernel: Kernel) -> KernelRecord:
        """Lets what a preview did stay.

        Raises:
            CheckpointNotFound: There is no preview to decide on.
            PreviewOpen: It still runs.
        """
        return self._decide(kernel, "keep")

    def discard(self, kernel: Kernel) -> KernelRecord:
        """Takes a kernel back to what it was before its preview; what it runs is ended."""
        return self._decide(kernel, "discard")

    def _decide(self, kernel: Kernel, decision: str) -> KernelRecord:
        return KernelRecord.from_dict(self._post(kernel, f"preview/{decision}", {})["kernel"])

    # Best of several

    def best_of(
        self,
        kernel: Kernel,
        codes: Union[str, Sequence[str]],
        *,
        score: Union[str, Score, None] = None,
        seeds: Sequence[int] = (),
        deadline: float | None = None,
        promote: bool = True,
        proceed: bool = False,
    ) -> BestOf:
        """Tries several pieces of code from one state, each in a fork of its own, all at once.

        The best takes the kernel's place and the others are gone; if none succeeds the kernel is as it was.

        Args:
            kernel: The kernel to start from.
            codes: Pieces of code, or one that is tried with several ``seeds``.
            score: An expression, evaluated in each fork that succeeded, or a function of the fork and its
                result, called here; the highest wins. Without it the first piece that succeeds does.
            seeds: For the random numbers of Python, numpy and torch: one for each try.
            deadline: Seconds for all tries together; 0 for no limit, None for the setting.
            promote: Whether the winner takes the kernel's place.
            proceed: Go on although forks would lack something of the kernel.
        """
        tries = [codes] if isinstance(codes, str) else list(codes)
        if callable(score):
            here = ScoredHere(self, score, deadline, promote, proceed)
            return here.run(kernel, _pairs(tries, list(seeds)))
        body = {"codes": tries, "seeds": list(seeds), "score": score, "deadline": deadline}
        body.update(promote=promote, proceed=proceed)
        return BestOf.from_dict(self._post(kernel, "best-of", body))

    def _post(self, kernel: Kernel, what: str, body: Mapping[str, Any]) -> Any:
        """Asked once: what was asked for may have been done even if no answer came."""
        given = {name: value for name, value in body.items() if value is not None}
        return self._connections.ask_once(
            "POST", f"{_path(kernel)}/{what}", {**given, **self._caller()}
        )


def _pairs(codes: List[str], seeds: List[int]) -> List[tuple[str, int | None]]:
    """Every try's code and seed."""
    if not codes or (seeds and len(codes) > 1 and len(codes) != len(seeds)):
        raise InvalidRequest(
            f"there are {len(codes)} pieces of code and {len(seeds)} seeds",
            ["send as many seeds as pieces, or one piece with several seeds"],
        )
    count = max(len(codes), len(seeds))
    return [
        (codes[0] if len(codes) == 1 else codes[i], seeds[i] if seeds else None)
        for i in range(count)
    ]


def _identifier(kernel: Kernel) -> str:
    if isinstance(kernel, KernelRecord):
        return kernel.kernel_id
    if isinstance(kernel, str):
        return kernel
    raise TypeError(f"a kernel is given by its record, name or id, not by {type(kernel).__name__}")


def _path(kernel: Kernel) -> str:
    return kernel_path(_identifier(kernel))


def _label(checkpoint: Union[Checkpoint, str, None]) -> str | None:
    return checkpoint.id if isinstance(checkpoint, Checkpoint) else checkpoint
