"""Facets of the statements of an answer: the values that they have, each with a link that narrows the answer to it."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_VALUES = 12

_Statement = Mapping[str, Any]
_Values = Iterator[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a facet, its words, the statements that have it, and whether the answer is narrowed to it."""

    value: str
    words: str
    statements: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """A facet by its parameter in the address, and its values, those of most statements first."""

    name: str
    values: tuple[FacetValue, ...]


def _sources(statement: _Statement) -> _Values:
    for citation in statement["citations"]:
        document = citation["chunk"]["document"]
        name = document["hash"] or citation["sourceDocument"]
        yield name, document["title"] or citation["sourceDocument"]


def _speakers(statement: _Statement) -> _Values:
    speaker = statement["speaker"]
    if speaker:
        named = speaker[:1].upper() + speaker[1:]
        yield named, named


def _agents(statement: _Statement) -> _Values:
    agent = statement["generatedBy"]
    yield agent["id"], agent["name"] or agent["id"]


def _dates(statement: _Statement) -> _Values:
    day = str(statement["generatedAt"])[:10]
    yield day, day


FACETS: Mapping[str, Callable[[_Statement], _Values]] = {
    "source": _sources,
    "speaker": _speakers,
    "agent": _agents,
    "date": _dates,
}
"""The facets by name, with the values of a statement: a source by hash or name, a speaker, an agent by id, a day."""


def is_within(statement: _Statement, chosen: Mapping[str, str], *, without: str | None = None) -> bool:
    """Return whether a statement has the chosen value of each facet but `without`."""
    return all(value in dict(FACETS[name](statement)) for name, value in chosen.items() if value and name != without)


def facets_of(statements: Sequence[_Statement], chosen: Mapping[str, str]) -> tuple[Facet, ...]:
    """Return the facets of statements; a value is counted in the statements that the other facets leave."""
    found = []
    for name, values_of in FACETS.items():
        counts: Counter[str] = Counter()
        words: dict[str, str] = {}
        for statement in statements:
            if is_within(statement, chosen, without=name):
                for value, shown in dict(values_of(statement)).items():
                    counts[value] += 1
                    words.setdefault(value, shown)
        values = [
            FacetValue(value, words[value], number, value == chosen.get(name)) for value, number in counts.most_common()
        ]
        # A chosen value is shown even if many others are more frequent: its link leads back.
        kept = [one for place, one in enumerate(values) if place < MOST_VALUES or one.chosen]
        if kept:
            found.append(Facet(name, tuple(kept)))
    return tuple(found)
