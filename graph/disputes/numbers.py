"""Numbers in a claim, in figures or in words, with their possible rounding error."""

from collections.abc import Sequence
from dataclasses import dataclass

from graph.disputes.vocabulary import MULTIPLIERS, SHORT_MULTIPLIERS, SMALL_NUMBERS
from graph.disputes.words import Kind, Token


@dataclass(frozen=True, slots=True)
class Number:
    """A number, its possible rounding error, and the place after it."""

    value: float
    slack: float
    end: int


def read_number(tokens: Sequence[Token], place: int, *, currency: bool) -> Number | None:
    """Return the number that begins at a token, None if there is none; with `currency` "5m" is five million."""
    if place >= len(tokens):
        return None
    if tokens[place].kind is Kind.NUMBER:
        return _read_figures(tokens, place, currency=currency)
    return _read_words(tokens, place)


def _read_figures(tokens: Sequence[Token], place: int, *, currency: bool) -> Number:
    text = tokens[place].text.replace("−", "-").replace(",", "")
    value = float(text)
    digits = len(text.partition(".")[2])
    slack = 0.5 * 10**-digits if digits else 0.0
    whole = text.lstrip("-")
    if not digits and len(whole) >= 4 and whole.endswith("00"):
        slack = abs(value) / 20
    place += 1
    following = tokens[place] if place < len(tokens) else None
    multiplier = None
    if following is not None and following.word in MULTIPLIERS:
        multiplier = MULTIPLIERS[following.word]
    elif following is not None and following.tight and following.word in SHORT_MULTIPLIERS:
        multiplier = SHORT_MULTIPLIERS[following.word] if currency or following.word in ("k", "bn") else None
    if multiplier is not None:
        value, slack, place = value * multiplier, max(slack, 0.5 * 10**-digits) * multiplier, place + 1
    return Number(value, slack, place)


def _read_words(tokens: Sequence[Token], place: int) -> Number | None:
    """Read "forty", "two hundred and five", "a dozen": a number in words."""
    total, current, start = 0.0, 0.0, place
    if tokens[place].word in ("a", "an") and word_at(tokens, place + 1) in MULTIPLIERS:
        current, place = 1.0, place + 1
    elif tokens[place].word not in SMALL_NUMBERS or _is_no_number(tokens, place):
        return None
    last = 100.0
    while place < len(tokens):
        word = tokens[place].word
        if word in SMALL_NUMBERS:
            value = float(SMALL_NUMBERS[word])
            if place > start and not (value < last and (last >= 100 or value < 10 <= last)):
                break
            current, last, place = current + value, value if value >= 20 else 1.0, place + 1
        elif word in MULTIPLIERS and (current or total):
            multiplier = MULTIPLIERS[word]
            if multiplier >= 1000:
                total, current = total + current * multiplier, 0.0
            else:
                current *= multiplier
            last, place = 100.0, place + 1
        elif word == "and" and place > start and last >= 100 and word_at(tokens, place + 1) in SMALL_NUMBERS:
            if tokens[place - 1].word not in MULTIPLIERS:
                break
            place += 1
        else:
            break
    return Number(total + current, 0.0, place)


def _is_no_number(tokens: Sequence[Token], place: int) -> bool:
    """Return whether "one" is a pronoun here: one of them, no one, the one that."""
    if tokens[place].word != "one":
        return False
    before = tokens[place - 1].word if place else ""
    after = word_at(tokens, place + 1)
    pronoun = before in ("no", "any", "every", "each", "this", "that", "the", "another", "which", "some")
    return pronoun or after in ("", "of", "another", "the", "day", "who", "that", "can", "could", "must", "should")


def word_at(tokens: Sequence[Token], place: int) -> str:
    """Return the word of a token, "" behind the last token."""
    return tokens[place].word if place < len(tokens) else ""
