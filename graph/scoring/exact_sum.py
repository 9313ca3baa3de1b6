"""Exact sums of floats from which a term can be removed again; as floats they equal `math.fsum`."""

from collections.abc import Iterable, Sequence
from fractions import Fraction


class WeighedOrder:
    """The sum of terms weighted by rank: the greatest counts in full, the next by ρ, the next by ρ² and so on."""

    def __init__(self, terms: Iterable[float], rho: float) -> None:
        self._terms = sorted(terms, reverse=True)
        self._rho = rho
        self._placed = _suffixes(rho**place * term for place, term in enumerate(self._terms))
        # The sums of the terms behind a removed one: each has moved up by one place.
        self._moved = _suffixes(rho ** max(place - 1, 0) * term for place, term in enumerate(self._terms))

    @property
    def total(self) -> Fraction:
        """The sum."""
        return self._placed[0]

    def changed(self, out: float, into: float | None) -> Fraction:
        """Return the sum with one of its terms replaced by one that is no greater, or removed."""
        gone = _first_at_most(self._terms, out)
        before = self._placed[0] - self._placed[gone]
        if into is None:
            return before + self._moved[gone + 1]
        # The terms between keep their order and move up; those behind stay where they are.
        place = max(_first_at_most(self._terms, into) - 1, gone)
        between = self._moved[gone + 1] - self._moved[place + 1]
        return before + between + Fraction(self._rho**place * into) + self._placed[place + 1]


def exact_sum(terms: Iterable[float]) -> Fraction:
    """Return the sum without rounding."""
    return sum((Fraction(term) for term in terms), Fraction(0))


def _suffixes(terms: Iterable[float]) -> list[Fraction]:
    """Return the sums of the terms from each place on, and 0 at the end."""
    sums = [Fraction(0)]
    for term in reversed(list(terms)):
        sums.append(sums[-1] + Fraction(term))
    return sums[::-1]


def _first_at_most(terms: Sequence[float], bound: float) -> int:
    """Return the index of the first of some falling numbers that is not above the bound."""
    low, high = 0, len(terms)
    while low < high:
        middle = (low + high) // 2
        if terms[middle] > bound:
            low = middle + 1
        else:
            high = middle
    return low
