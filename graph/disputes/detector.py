"""Finds claims that cannot both be true, by their words: one subject with other figures, denied, or decided otherwise.

Pure, symmetrical and cautious: a detected contradiction can keep a statement from being verified, so that only plain
ones are detected. The rules (docs/explanation/disputes.md):

1. Both are plain assertions: no question, no "might" or "if", no claim about some things or some times.
2. Both have the same subject (`graph.disputes.reading`), in the same order unless they cite the same bytes.
3. They differ in one thing only: an amount, a date of an event that happens once, a denial, or the side of a pair
   (passed and failed).
4. The less evidence they share, the more the subject must say: one word if they cite the same bytes, two in one source,
   otherwise a name and a state of things, or a name and one whole date.
"""

from dataclasses import dataclass
from enum import StrEnum

from graph.disputes.amounts import PAIR, Amount, exclude
from graph.disputes.dates import differ, same_day
from graph.disputes.reading import Reading, read_claim
from graph.disputes.vocabulary import TEMPORARY_POLES


class Ground(StrEnum):
    """The difference by which two claims exclude each other."""

    AMOUNT = "AMOUNT"
    DATE = "DATE"
    DENIAL = "DENIAL"
    OUTCOME = "OUTCOME"


class Nearness(StrEnum):
    """How much of their evidence two statements share."""

    BYTES = "BYTES"
    SOURCE = "SOURCE"
    ELSEWHERE = "ELSEWHERE"


@dataclass(frozen=True, slots=True, order=True)
class Passage:
    """Cited bytes: the document's key and a half-open range."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Detected:
    """The reason why two claims exclude each other, as a ground and as a sentence that is the same for both orders."""

    ground: Ground
    nearness: Nearness
    reason: str


_WHERE = {
    Nearness.BYTES: "citing the same passage",
    Nearness.SOURCE: "citing the same source",
    Nearness.ELSEWHERE: "citing different sources",
}


def nearness_of(one: tuple[Passage, ...], other: tuple[Passage, ...]) -> Nearness:
    """Return how much of their evidence two statements share."""
    if {passage.document for passage in one}.isdisjoint({passage.document for passage in other}):
        return Nearness.ELSEWHERE
    return Nearness.BYTES if _overlap(sorted(one), sorted(other)) else Nearness.SOURCE


def detect(one: str, other: str, nearness: Nearness) -> Detected | None:
    """Return the reason why two claims exclude each other, None if that is not plain; the order does not matter."""
    readings = [read_claim(text) for text in sorted((one, other))]
    first, second = readings
    if first is None or second is None or not _same_subject(first, second, nearness):
        return None
    found = _difference(first, second, nearness)
    return None if found is None else Detected(found[0], nearness, f"{found[1]}, {_WHERE[nearness]}.")


def _overlap(one: list[Passage], other: list[Passage]) -> bool:
    """Return whether any passages of two sorted lists share a byte, in one pass: statements may cite hundreds."""
    # The passage of each list that reaches furthest so far.
    reach: list[Passage | None] = [None, None]
    for passage, which in sorted([*((a, 0) for a in one), *((b, 1) for b in other)]):
        far, own = reach[1 - which], reach[which]
        if far is not None and far.document == passage.document and passage.start < far.end:
            return True
        if own is None or own.document != passage.document or own.end < passage.end:
            reach[which] = passage
    return False


def _same_subject(one: Reading, other: Reading, nearness: Nearness) -> bool:
    if not one.content or one.about != other.about:
        return False
    traits = one.traits | other.traits
    if {"hedged", "question"} & traits or _at_other_times(one, other):
        return False
    if nearness is Nearness.BYTES:
        return True
    if {"reported", "pronoun"} & traits or one.subject != other.subject:
        return False
    if nearness is Nearness.SOURCE:
        # An event that happens once has its verb among the pairs: "the hearing starts".
        return one.content + (one.one_time and other.one_time and len(one.dates) > 0) >= 2
    named = one.named and other.named
    if any(same_day(a, b) for a in one.dates for b in other.dates):
        return named and one.content >= 2
    dated = len(one.dates) > 0 and len(other.dates) > 0
    lasting = (one.stative and other.stative) or (dated and one.one_time and other.one_time)
    return lasting and one.content >= (3 if named else 5)


def _at_other_times(one: Reading, other: Reading) -> bool:
    if ("future" in one.tenses) != ("future" in other.tenses):
        return True
    return any("present" in a.tenses and "past" in b.tenses - a.tenses for a, b in ((one, other), (other, one)))


def _difference(one: Reading, other: Reading, nearness: Nearness) -> tuple[Ground, str] | None:
    """Return the ground of the difference with a sentence, None if the two do not differ in exactly one thing."""
    if len(one.amounts) != len(other.amounts) or [a.dimension for a in one.amounts] != [
        a.dimension for a in other.amounts
    ]:
        return None
    amounts = [(a, b) for a, b in zip(one.amounts, other.amounts, strict=True) if exclude(a, b)]
    dates = _dates_apart(one, other, nearness)
    denied = one.denials % 2 != other.denials % 2
    sides = [(a, b) for a, b in zip(sorted(one.sides), sorted(other.sides), strict=True) if a != b]
    if dates is None or len(amounts) + len(dates) + denied + len(sides) != 1:
        return None
    if amounts:
        return _of_amounts(one, other, *amounts[0])
    if dates:
        return _of_dates(one, other, dates)
    if _of_some(one, other) or (sides and one.denials):
        return None
    if denied:
        return Ground.DENIAL, "One denies the claim of the other"
    return _of_sides(sides[0][0][0], nearness)


def _dates_apart(one: Reading, other: Reading, nearness: Nearness) -> list[tuple[str, str]] | None:
    """Return the dates that differ, as text; None if one has more dates than the other and cites other bytes."""
    if len(one.dates) != len(other.dates):
        return [] if nearness is Nearness.BYTES else None
    return [(a.text, b.text) for a, b in zip(one.dates, other.dates, strict=True) if differ(a, b)]


def _of_amounts(one: Reading, other: Reading, a: Amount, b: Amount) -> tuple[Ground, str] | None:
    voted = one.voted and other.voted
    if "existential" in one.traits | other.traits or (a.dimension == PAIR and not voted):
        return None
    return Ground.AMOUNT, f"One says {a.text}, the other {b.text}"


def _of_dates(one: Reading, other: Reading, dates: list[tuple[str, str]]) -> tuple[Ground, str] | None:
    if not (one.one_time and other.one_time) or "existential" in one.traits | other.traits:
        return None
    return Ground.DATE, f"One says {dates[0][0]}, the other {dates[0][1]}"


def _of_some(one: Reading, other: Reading) -> bool:
    """Return whether the claims speak of some, or of a number of things: others may do the opposite."""
    counted = any(amount.dimension == "" for reading in (one, other) for amount in reading.amounts)
    return counted or "existential" in one.traits | other.traits


def _of_sides(pair: str, nearness: Nearness) -> tuple[Ground, str] | None:
    if pair in TEMPORARY_POLES and nearness is not Nearness.BYTES:
        return None
    return Ground.OUTCOME, "One says the opposite of the other"
