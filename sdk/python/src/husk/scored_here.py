"""The best of several tries, scored by a function of the caller's own."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Callable

from husk.live_model import BestOf, Variant
from husk.model import ExecutionResult, KernelRecord

if TYPE_CHECKING:
    from husk.live import Kernel, LiveState

_SEED = """\
import random as _husk, sys as _husk_sys
_husk.seed({0})
if "numpy.random" in _husk_sys.modules: _husk_sys.modules["numpy.random"].seed({0} % 2**32)
if "torch" in _husk_sys.modules: _husk_sys.modules["torch"].manual_seed({0})
del _husk, _husk_sys
"""


class ScoredHere:
    """Makes the forks, runs the tries in them, asks for scores, promotes the best and destroys the forks."""

    def __init__(
        self,
        husk: LiveState,
        score: Callable[[KernelRecord, ExecutionResult], float],
        deadline: float | None,
        promote: bool,
        proceed: bool,
    ) -> None:
        self._husk = husk
        self._score = score
        self._promote = promote
        self._proceed = proceed
        self._deadline = deadline
        self._end = time.monotonic() + (deadline or 0)

    def run(self, kernel: Kernel, tries: list[tuple[str, int | None]]) -> BestOf:
        forked = self._husk._fork(kernel, {"count": len(tries)}, self._proceed)
        forks = forked.kernels
        try:
            with ThreadPoolExecutor(len(tries)) as each:
                results = list(each.map(self._try, forks, tries))
            # One after the other: the caller's function need not stand several threads.
            variants = [
                self._scored(i, forks[i], tries[i], result) for i, result in enumerate(results)
            ]
            winner = _best(variants)
            promoted = self._promote and winner is not None
            if winner is not None and promoted:
                self._husk.promote(kernel, forks[winner])
            return BestOf(variants, winner, promoted, forked.hazards)
        finally:
            for fork in forks:
                self._husk.destroy(fork)

    def _try(self, fork: KernelRecord, code_and_seed: tuple[str, int | None]) -> ExecutionResult:
        code, seed = code_and_seed
        if seed is not None:
            self._husk.execute(fork, _SEED.format(seed))
        return self._husk.execute(fork, code, timeout=self._left())

    def _left(self) -> float | None:
        """Of the common deadline; 0 would mean none."""
        if not self._deadline:
            return self._deadline
        return max(0.001, self._end - time.monotonic())

    def _scored(
        self,
        index: int,
        fork: KernelRecord,
        code_and_seed: tuple[str, int | None],
        result: ExecutionResult,
    ) -> Variant:
        variant = Variant(index, code_and_seed[0], result, code_and_seed[1])
        if result.ok:
            given = float(self._score(fork, result))
            if math.isnan(given):
                variant.score_error = "the score is not a number"
            else:
                variant.score = given
        return variant


def _best(variants: list[Variant]) -> int | None:
    """The highest score; of equals the first."""
    scores = [(v.score, -v.index) for v in variants if v.score is not None]
    return -max(scores)[1] if scores else None
