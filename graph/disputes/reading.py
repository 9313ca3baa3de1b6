"""Reads the words of a claim as far as two claims can be compared: subject, amounts, dates, denials.

The subject is the rest without amounts, dates, denials and the side of pairs like passed/failed. It is compared as a
bag of stems and, if the claims cite different bytes, in its order: the roles of subject and object count.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from graph.disputes import amounts, dates
from graph.disputes.amounts import PAIR, Amount, read_amount
from graph.disputes.dates import Date, read_date
from graph.disputes.labels import is_label
from graph.disputes.vocabulary import (
    DROPPED,
    EXISTENTIAL,
    FUNCTION_WORDS,
    HEDGES,
    NEGATIONS,
    NOT_DENIALS,
    ONE_TIME,
    POLES,
    PRONOUNS,
    REFUSALS,
    REPORTING,
    STATIVE,
    word_set,
)
from graph.disputes.words import Kind, Token, stem, tokens_of

LONGEST = 1_000
"""Maximum number of characters; a longer claim says too much to be compared with another."""

_DATE_RELATIONS = word_set("by before after until till since")
_VOTING = word_set("vote votes voted voting speaks spoke spoken argued testified")
_PRESENT, _PAST = word_set("is are am has have does do"), word_set("was were had did")
_REMEMBERED = 8_192
_BEGINNINGS = amounts.BEGINNINGS | dates.BEGINNINGS


@dataclass(frozen=True, slots=True)
class Reading:
    """A parsed claim. `subject` is in order; `content` counts its stems that are not mere function words.

    `sides` are the pairs that the claim takes a side of, in order, each with the side. `traits` mark a claim that is no
    plain assertion: "hedged", "reported", "existential", "pronoun", "question".
    """

    subject: tuple[str, ...]
    content: int
    amounts: tuple[Amount, ...]
    dates: tuple[Date, ...]
    denials: int
    sides: tuple[tuple[str, int], ...]
    traits: frozenset[str]
    tenses: frozenset[str]
    named: bool
    stative: bool
    one_time: bool
    voted: bool

    @property
    def about(self) -> list[str]:
        """The subject, sorted, with the pairs that a side is taken of."""
        return sorted([*self.subject, *(f"@{name}" for name, _ in self.sides)])


@dataclass(slots=True)
class _Notes:
    subject: list[str] = field(default_factory=list)
    amounts: list[Amount] = field(default_factory=list)
    dates: list[Date] = field(default_factory=list)
    sides: list[tuple[str, int]] = field(default_factory=list)
    denials: int = 0
    content: int = 0
    named: bool = False
    refused: bool = False
    traits: set[str] = field(default_factory=set)


@lru_cache(maxsize=_REMEMBERED)
def read_claim(text: str) -> Reading | None:
    """Return the reading of a claim; None if it is too long to be compared, or has no words."""
    if len(text) > LONGEST:
        return None
    tokens = tokens_of(text)
    words = [token.word for token in tokens]
    if not any(token.kind is Kind.WORD for token in tokens):
        return None
    notes = _Notes()
    place = 0
    while place < len(tokens):
        place = _take(tokens, place, notes)
    flat = " ".join(words)
    return Reading(
        subject=tuple(notes.subject),
        content=notes.content,
        amounts=tuple(notes.amounts),
        dates=tuple(notes.dates),
        denials=notes.denials,
        sides=tuple(notes.sides),
        traits=frozenset(notes.traits) | _traits(words, flat),
        tenses=_tenses(words),
        named=notes.named,
        stative=not STATIVE.isdisjoint(words),
        one_time=not ONE_TIME.isdisjoint(words),
        voted="outcome" in {name for name, _ in notes.sides} or any(word.startswith("vot") for word in words),
    )


def _take(tokens: Sequence[Token], place: int, notes: _Notes) -> int:
    """Record the part of the claim that begins at a token, and return the place after it."""
    token = tokens[place]
    if token.kind is Kind.WORD and token.word not in _BEGINNINGS:
        _take_word(tokens, place, notes)
        return place + 1
    if is_label(tokens, place):
        notes.subject.append(f"#{token.word}")
        return place + 1
    date = read_date(tokens, place)
    if date is not None:
        before = tokens[place - 1].word if place else ""
        if before in _DATE_RELATIONS and notes.subject[-1:] != [f"@{before}"]:
            notes.subject.append(f"@{before}")
        notes.dates.append(date[0])
        return date[1]
    amount = read_amount(tokens, place)
    if amount is not None:
        return _take_amount(tokens, amount, notes)
    if token.kind is Kind.WORD:
        _take_word(tokens, place, notes)
    elif token.kind is Kind.ORDINAL:
        notes.subject.append(token.word)
    elif token.kind is not Kind.MARK:
        notes.subject.append(f"#{token.word}")
    return place + 1


def _take_amount(tokens: Sequence[Token], found: tuple[Amount, int], notes: _Notes) -> int:
    amount, place = found
    if amount.dimension == "" and place + 1 < len(tokens) and tokens[place].word == "to":
        second = read_amount(tokens, place + 1)
        if second is not None and second[0].dimension == "":
            text = f"{amount.text} to {second[0].text}"
            notes.amounts.append(Amount(amount.low, second[0].low, 0.0, PAIR, 1.0, text))
            return second[1]
    notes.amounts.append(amount)
    return place


def _take_word(tokens: Sequence[Token], place: int, notes: _Notes) -> None:
    token = tokens[place]
    word = token.word.removesuffix("'s")
    if word in HEDGES or token.text == "may":
        notes.traits.add("hedged")
    if word in EXISTENTIAL:
        notes.traits.add("existential")
    following = tokens[place + 1].word if place + 1 < len(tokens) else ""
    if word in NEGATIONS or word.endswith("n't"):
        notes.denials += 1
    elif word == "nor":
        # "neither … nor" and "not … nor" deny once.
        notes.denials += not notes.denials
    elif word in REFUSALS and following == "to":
        notes.denials += 1
        notes.refused = True
    elif word == "to" and notes.refused:
        notes.refused = False
    elif word == "for" and any(one.word in _VOTING for one in tokens[max(place - 2, 0) : place]):
        notes.sides.append(POLES["@for"])
    elif word in _DATE_RELATIONS and following and read_date(tokens, place + 1) is not None:
        notes.subject.append(f"@{word}")
    elif word in POLES:
        notes.sides.append(POLES[word])
    elif word not in DROPPED:
        notes.subject.append(stem(word))
        if word not in FUNCTION_WORDS:
            notes.content += 1
            notes.named |= token.capital and place > 0


def _traits(words: Sequence[str], flat: str) -> frozenset[str]:
    found = {
        "hedged": NOT_DENIALS.search(flat) is not None,
        "reported": not REPORTING.isdisjoint(words) or any(mark in flat for mark in '“”"«»:'),
        "existential": words[0] in ("a", "an", "one"),
        "pronoun": words[0].partition("'")[0] in PRONOUNS,
        "question": "?" in words,
    }
    return frozenset(name for name, holds in found.items() if holds)


def _tenses(words: Sequence[str]) -> frozenset[str]:
    found = {"future": "will" in words or "shall" in words}
    # "has opened" and "opened" are one time; "is" and "was" are two.
    found["present"] = not {"is", "are", "am"}.isdisjoint(words)
    found["past"] = not _PAST.isdisjoint(words)
    return frozenset(name for name, holds in found.items() if holds)
