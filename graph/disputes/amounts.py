"""Amounts in a claim: the quantity, its dimension, its bounds, and the precision in which it is given.

Two amounts exclude each other if they measure the same dimension, no value satisfies both, and rounding does not
explain the difference. "more than 40 feet" is a range, "about 40" one a quarter to both sides, "12 m" and "40 feet" are
the same to the precision in which they are given.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from graph.disputes.numbers import read_number, word_at
from graph.disputes.vocabulary import SMALL_NUMBERS, UNITS
from graph.disputes.words import Kind, Token

PAIR = "pair"
"""The dimension of "5-2": a vote, a score or a range."""

_LOOSELY = 0.25
_CURRENCIES = frozenset("$€£")
_BEFORE: dict[tuple[str, ...], str] = {
    ("at", "least"): "least",
    ("no", "less", "than"): "least",
    ("no", "fewer", "than"): "least",
    ("not", "less", "than"): "least",
    ("as", "many", "as"): "most",
    ("as", "much", "as"): "most",
    ("no", "more", "than"): "most",
    ("not", "more", "than"): "most",
    ("more", "than"): "above",
    ("greater", "than"): "above",
    ("higher", "than"): "above",
    ("less", "than"): "below",
    ("fewer", "than"): "below",
    ("lower", "than"): "below",
    ("at", "most"): "most",
    ("up", "to"): "most",
    ("over",): "above",
    ("above",): "above",
    ("exceeding",): "above",
    ("beyond",): "above",
    ("under",): "below",
    ("below",): "below",
    ("about",): "about",
    ("around",): "about",
    ("approximately",): "about",
    ("roughly",): "about",
    ("circa",): "about",
    ("some",): "about",
    ("nearly",): "nearly",
    ("almost",): "nearly",
    ("exactly",): "exactly",
    ("precisely",): "exactly",
}
BEGINNINGS = frozenset({words[0] for words in _BEFORE} | set(SMALL_NUMBERS) | {"a", "an"})
"""The words that may begin an amount; no other word begins one."""

_AFTER: dict[tuple[str, ...], str] = {
    ("or", "more"): "least",
    ("or", "higher"): "least",
    ("and", "up"): "least",
    ("or", "less"): "most",
    ("or", "fewer"): "most",
    ("or", "lower"): "most",
}
BOUNDING = frozenset(word for words in (*_BEFORE, *_AFTER) for word in words)
"""The words that bound amounts."""


@dataclass(frozen=True, slots=True)
class Amount:
    """From `low` to `high` of a dimension, "" for a count of things; `slack` is the possible rounding error.

    A pair ("5-2") has its two numbers in `low` and `high`. `text` is as in the claim.
    """

    low: float
    high: float
    slack: float
    dimension: str
    factor: float
    text: str


def read_amount(tokens: Sequence[Token], start: int) -> tuple[Amount, int] | None:
    """Return the amount that begins at a token, its bounding words included, and the place after it."""
    bound, place = _bound_before(tokens, start)
    unit: tuple[str, float] | None = None
    if place < len(tokens) and tokens[place].text in _CURRENCIES:
        unit, place = UNITS[tokens[place].text], place + 1
    if place < len(tokens) and tokens[place].kind is Kind.PAIR:
        return _pair(tokens, start, place) if not bound and unit is None else None
    number = read_number(tokens, place, currency=unit is not None)
    if number is None:
        return None
    place = number.end
    if unit is None:
        unit, place = _unit_after(tokens, place)
    after, place = _bound_after(tokens, place)
    bound = bound or after
    dimension, factor = unit or ("", 1.0)
    low, high = _bounds(number.value * factor, bound)
    text = " ".join(token.text for token in tokens[start:place])
    return Amount(low, high, number.slack * factor, dimension, factor, text), place


def exclude(one: Amount, other: Amount) -> bool:
    """Return whether no value can be both; False if the two are not comparable."""
    if one.dimension != other.dimension:
        return False
    if one.dimension == PAIR:
        return (one.low, one.high) != (other.low, other.high)
    gap = max(one.low, other.low) - min(one.high, other.high)
    slack = max(one.slack, other.slack)
    if one.factor != other.factor:
        slack = max(slack, one.factor / 2, other.factor / 2)
    return gap > 0 and gap >= slack * (1 - 1e-9)


def _bounds(value: float, bound: str) -> tuple[float, float]:
    loose = abs(value) * _LOOSELY
    match bound:
        case "least":
            return value, math.inf
        case "most":
            return -math.inf, value
        case "above":
            return math.nextafter(value, math.inf), math.inf
        case "below":
            return -math.inf, math.nextafter(value, -math.inf)
        case "about":
            return value - loose, value + loose
        case "nearly":
            return value - loose, value
        case _:
            return value, value


def _bound_before(tokens: Sequence[Token], start: int) -> tuple[str, int]:
    for length in (3, 2, 1):
        found = _BEFORE.get(tuple(token.word for token in tokens[start : start + length]))
        if found is not None:
            return found, start + length
    return "", start


def _bound_after(tokens: Sequence[Token], place: int) -> tuple[str, int]:
    found = _AFTER.get(tuple(token.word for token in tokens[place : place + 2]))
    return (found, place + 2) if found is not None else ("", place)


def _pair(tokens: Sequence[Token], start: int, place: int) -> tuple[Amount, int]:
    digits = "".join(character if character.isdigit() else " " for character in tokens[place].text).split()
    low, high = float(digits[0]), float(digits[1])
    return Amount(low, high, 0.0, PAIR, 1.0, tokens[place].text), place + 1


def _unit_after(tokens: Sequence[Token], place: int) -> tuple[tuple[str, float] | None, int]:
    if place >= len(tokens):
        return None, place
    word, following = tokens[place].word, word_at(tokens, place + 1)
    if word == "per" and following == "cent":
        return UNITS["percent"], place + 2
    if word == "percentage" and following in ("point", "points"):
        return ("point", 1.0), place + 2
    if word in ("square", "cubic") and following in UNITS:
        dimension, factor = UNITS[following]
        return (f"{word} {dimension}", factor ** (2 if word == "square" else 3)), place + 2
    if word in ("degree", "degrees", "°"):
        scale = following[:1] if following in ("c", "f", "celsius", "fahrenheit") else ""
        return (f"degree {scale}".strip(), 1.0), place + (2 if scale else 1)
    if word in UNITS:
        return UNITS[word], place + 1
    return None, place
