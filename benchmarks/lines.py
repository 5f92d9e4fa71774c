"""What a row finds: lines of the table, made of samples."""

import dataclasses
import typing


def percentile(values: typing.Sequence, rank: float) -> float:
    """Linear between neighbours, as numpy's default."""
    ordered = sorted(values)
    at = (len(ordered) - 1) * rank / 100
    low = int(at)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (at - low)


@dataclasses.dataclass(frozen=True)
class Sample:
    """Measured values in one unit; `rank` is the percentile that speaks for them."""

    values: typing.Sequence
    unit: str = "ms"
    rank: float = 50

    @property
    def value(self) -> float:
        return percentile(self.values, self.rank)

    @property
    def spread(self) -> tuple:
        return percentile(self.values, 10), percentile(self.values, 90)

    def __str__(self) -> str:
        if len(self.values) == 1:
            return amount(self.value, self.unit)
        if self.rank != 50:
            middle, most = percentile(self.values, 50), max(self.values)
            return (
                f"p{self.rank:g} {amount(self.value, self.unit)} "
                f"[p50 {number(middle)}, max {number(most)}]"
            )
        low, high = self.spread
        return (
            f"{amount(self.value, self.unit)} "
            f"[{number(low)}–{number(high)}, min {number(min(self.values))}]"
        )


@dataclasses.dataclass(frozen=True)
class Line:
    row: str
    what: str
    husk: Sample
    peer_name: str = ""
    peer: typing.Optional[Sample] = None
    target: str = ""
    held: typing.Optional[bool] = None
    notes: typing.Sequence = ()

    @property
    def ratio(self) -> typing.Optional[float]:
        """How many times less Husk takes than the peer."""
        return self.peer.value / self.husk.value if self.peer and self.husk.value else None


def amount(value: float, unit: str) -> str:
    return f"{number(value)} {unit}"


def number(value: float) -> str:
    """Three digits that matter."""
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
