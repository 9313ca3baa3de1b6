"""Measures how far two judges agree beyond chance, and how well one's confidences are calibrated: plain arithmetic.

Verdicts are counted as they come, so that any number of them takes the same memory.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from a2ap.messages.verification_response import Verdict

BINS = 10
"""Bins of equal width in which forecasts are compared with outcomes."""

Counts = Mapping[tuple[Verdict, Verdict], int]


def cohens_kappa(counts: Counts) -> float | None:
    """Return Cohen's kappa of pairs of verdicts; None without pairs, and if chance alone would agree on all."""
    total = sum(counts.values())
    if not total:
        return None
    of_one: Counter[Verdict] = Counter()
    of_other: Counter[Verdict] = Counter()
    for (one, other), number in counts.items():
        of_one[one] += number
        of_other[other] += number
    by_chance = sum(of_one[verdict] * of_other[verdict] for verdict in of_one)
    # In whole numbers, so that perfect chance agreement is found as such.
    if by_chance == total * total:
        return None
    agreed = agreements_in(counts)
    return (agreed * total - by_chance) / (total * total - by_chance)


def agreements_in(counts: Counts) -> int:
    """Return the number of pairs of two equal verdicts."""
    return sum(number for (one, other), number in counts.items() if one is other)


@dataclass(slots=True)
class Calibration:
    """Forecasts of something, 0 to 1, beside the outcomes; `brier` and `ece` are None before there are any."""

    number: int = 0
    _squares: float = 0.0
    _forecasts: list[float] = field(default_factory=lambda: [0.0] * BINS)
    _outcomes: list[int] = field(default_factory=lambda: [0] * BINS)

    def add(self, forecast: float, outcome: bool) -> None:
        """Count one forecast."""
        self.number += 1
        self._squares += (forecast - outcome) ** 2
        place = min(int(forecast * BINS), BINS - 1)
        self._forecasts[place] += forecast
        self._outcomes[place] += outcome

    @property
    def brier(self) -> float | None:
        """The mean squared difference: 0 is perfect, 0.25 is the result of a constant one half."""
        return self._squares / self.number if self.number else None

    @property
    def ece(self) -> float | None:
        """The expected calibration error: the gap between mean forecast and share of outcomes, weighted by bin."""
        if not self.number:
            return None
        gaps = (abs(forecast - outcome) for forecast, outcome in zip(self._forecasts, self._outcomes, strict=True))
        return sum(gaps) / self.number
