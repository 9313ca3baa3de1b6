"""Mutations that make a true extractive claim false by its words while its evidence stays genuine.

Each takes a claim, its meeting and a random generator, and yields claims that the evidence does not support.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from random import Random

from bench.mutated_words import (
    DATES,
    FIGURE,
    LIKENESS,
    MODALS,
    NAME,
    NEGATION,
    OPPOSITES,
    PRONOUNS,
    QUANTITIES,
    TURNING,
    UNITS,
    VERB,
)
from bench.utterances import Meeting, Utterance

Mutation = Callable[[Utterance, Meeting, Random], Iterator[Utterance]]


def _in_words(change: Callable[[str, Meeting, Random], Iterator[str]]) -> Mutation:
    """Return a mutation that changes only the words."""

    def mutate(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
        for words in change(utterance.words, meeting, chance):
            if words.strip() and _plain(words) != _plain(utterance.words):
                yield replace(utterance, words=words)

    return mutate


def _plain(words: str) -> str:
    return " ".join(words.split()).rstrip(".,;")


def _each_word(table: dict[str, str]) -> Callable[[str, Meeting, Random], Iterator[str]]:
    def change(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
        for word, other in table.items():
            bounded = rf"(?<!\w){re.escape(word)}(?!\w)" if word[0].isalnum() else re.escape(word)
            if re.search(bounded, words):
                yield re.sub(bounded, other, words, count=1).replace("  ", " ")

    return change


@_in_words
def swap_figure(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Replace one figure by another."""
    for match in FIGURE.finditer(words):
        digits = [at for at in range(match.start(), match.end()) if words[at].isdigit()]
        at = chance.choice(digits)
        yield words[:at] + str((int(words[at]) + chance.randint(1, 8)) % 10) + words[at + 1 :]


@_in_words
def move_decimal(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Drop the point or comma of a figure, or add a digit."""
    for match in FIGURE.finditer(words):
        bare = match[0].replace(".", "").replace(",", "")
        yield (
            words[: match.start()]
            + (bare if bare != match[0] and "." in match[0] else match[0] + "0")
            + words[match.end() :]
        )


@_in_words
def exchange_figures(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Exchange two figures of one claim."""
    for one, other in pairwise(FIGURE.finditer(words)):
        if one[0] != other[0]:
            between = words[one.end() : other.start()]
            yield words[: one.start()] + other[0] + between + one[0] + words[other.end() :]


@_in_words
def cut_figure(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """End the quotation inside a figure: "$18" of "$18.6 million"."""
    for match in FIGURE.finditer(words):
        if len(match[0]) > 1 and match.start() > 0:
            yield words[: match.start() + 1]


@_in_words
def swap_name(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Replace one name by another of the same source."""
    names = sorted({name for sentence in meeting.transcript.sentences for name in NAME.findall(sentence.text)})
    for match in NAME.finditer(words):
        yield words[: match.start()] + chance.choice([n for n in names if n != match[0]]) + words[match.end() :]


@_in_words
def negate(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Insert "not" after a verb."""
    for match in VERB.finditer(words):
        yield f"{words[: match.end()]} not{words[match.end() :]}"


@_in_words
def drop_negation(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Remove a negation."""
    for match in NEGATION.finditer(words):
        yield words[: match.start()] + words[match.end() :]


@_in_words
def swap_order(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Exchange two words that are apart."""
    split = words.split()
    places = [place for place, word in enumerate(split) if len(word) > 3]
    if len(places) > 2:
        first, second = sorted(chance.sample(places, 2))
        split[first], split[second] = split[second], split[first]
        yield " ".join(split)


@_in_words
def insert_word(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Insert a word that was not said."""
    split = words.split()
    if len(split) > 3:
        place = chance.randrange(1, len(split))
        yield " ".join(
            [*split[:place], chance.choice(["secretly", "finally", "only", "again", "illegally"]), *split[place:]]
        )


@_in_words
def leave_out_word(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Remove a word from the middle."""
    split = words.split()
    if len(split) > 4:
        place = chance.randrange(1, len(split) - 1)
        yield " ".join([*split[:place], *split[place + 1 :]])


@_in_words
def cut_before(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Begin the quotation after the word that turns it: a negation, a doubt, a wish, another person's opinion."""
    for match in re.finditer(TURNING, words):
        rest = words[match.end() :].strip()
        if len(rest.split()) > 3:
            yield rest


@_in_words
def cut_condition(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """End the quotation before its condition, exception or contrast."""
    for match in re.finditer(r",? \b(?:if|unless|until|but|except|with conditions|provided|although|and not)\b", words):
        if len(words[: match.start()].split()) > 3:
            yield words[: match.start()]


@_in_words
def look_alikes(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Replace some letters of a word by look-alikes."""
    split = words.split()
    place = chance.randrange(len(split))
    changed = split[place].translate(LIKENESS)
    if changed != split[place]:
        yield " ".join([*split[:place], changed, *split[place + 1 :]])


@_in_words
def make_a_question(words: str, meeting: Meeting, chance: Random) -> Iterator[str]:
    """Turn a statement into a question, or a question into a statement."""
    yield words.rstrip(".") + "?" if not words.endswith("?") else words.rstrip("?") + "."


def stitch(utterance: Utterance, meeting: Meeting, chance: Random) -> Iterator[Utterance]:
    """Join the ends of two quotations, of the same speaker if there are two, and cite both."""
    others = [o for o in meeting.utterances if o.evidence[0] not in utterance.evidence and o.words != utterance.words]
    same = [other for other in others if other.speaker == utterance.speaker]
    for other in [chance.choice(same or others)] if others else []:
        both = (
            *utterance.evidence[: utterance.words_cited],
            *other.evidence[: other.words_cited],
            *utterance.evidence[utterance.words_cited :],
        )
        half, rest = utterance.words.split(), other.words.split()
        stitched = " ".join([*half[: len(half) // 2 + 1], *rest[len(rest) // 2 :]])
        yield replace(utterance, words=stitched, evidence=both)
        if abs(utterance.evidence[0].byte_range.start - other.evidence[0].byte_range.start) > 1000:
            yield replace(utterance, words=f"{utterance.words} {other.words}", evidence=both)


WORD_MUTATIONS: dict[str, Mutation] = {
    "swap a figure": swap_figure,
    "move a decimal point, add a digit": move_decimal,
    "exchange two figures": exchange_figures,
    "cut a figure short": cut_figure,
    "change a unit": _in_words(_each_word(UNITS)),
    "change a date": _in_words(_each_word(DATES)),
    "swap a name": swap_name,
    "negate": negate,
    "drop a negation": drop_negation,
    "change a modal verb": _in_words(_each_word(MODALS)),
    "change a quantifier": _in_words(_each_word(QUANTITIES)),
    "put an opposite": _in_words(_each_word(dict(pair.split("/") for pair in OPPOSITES.split()))),
    "change a pronoun": _in_words(_each_word(PRONOUNS)),
    "exchange two words": swap_order,
    "insert a word": insert_word,
    "leave a word out": leave_out_word,
    "begin behind a word that turns it": cut_before,
    "end before a condition": cut_condition,
    "look-alike letters": look_alikes,
    "tell what was asked, ask what was told": make_a_question,
    "stitch two quotations": stitch,
}
