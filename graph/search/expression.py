"""A query as a tree: terms, authors, and their combinations."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Field(StrEnum):
    """The text in which a word must be."""

    CLAIM = "claim"
    EVIDENCE = "evidence"
    TITLE = "title"


class TermKind(StrEnum):
    """The part of a text that a term is compared with."""

    WORD = "word"
    PHRASE = "phrase"
    PREFIX = "prefix"


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a phrase or a beginning, and the field that must contain it."""

    kind: TermKind
    text: str
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class ByAgent:
    """The author: an agent's id, or its beginning if `begins`."""

    agent_id: str
    begins: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """Statements with every one of `parts` and none of `without`."""

    parts: tuple["Expression", ...]
    without: tuple["Expression", ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Statements with at least one of `parts`."""

    parts: tuple["Expression", ...]


Expression = Term | ByAgent | All | AnyOf


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A parsed query: plain `words`, or an `expression`; neither if it is empty."""

    words: tuple[str, ...] = ()
    expression: Expression | None = None

    @property
    def terms(self) -> tuple[Term, ...]:
        """Return the terms to search for, in order, without the excluded ones."""
        if self.expression is None:
            return tuple(Term(TermKind.WORD, word) for word in self.words)
        return tuple(_terms(self.expression))

    @property
    def text(self) -> str:
        """Return the terms to search for as one line, for an embedding model."""
        return " ".join(term.text for term in self.terms)


def _terms(expression: Expression) -> Iterator[Term]:
    match expression:
        case Term():
            yield expression
        case All(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from _terms(part)
        case ByAgent():
            pass
