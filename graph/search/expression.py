"""What a query asks for, as a tree: terms, authors, and how they are put together."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class Field(StrEnum):
    """Where a word may be asked to stand."""

    CLAIM = "claim"
    EVIDENCE = "evidence"
    TITLE = "title"


class TermKind(StrEnum):
    """What of a text a term is compared with."""

    WORD = "word"
    PHRASE = "phrase"
    PREFIX = "prefix"


@dataclass(frozen=True, slots=True)
class Term:
    """A word, a phrase or a beginning, and the field that it must stand in."""

    kind: TermKind
    text: str
    field: Field | None = None


@dataclass(frozen=True, slots=True)
class ByAgent:
    """The author: an agent's id, or how it `begins`."""

    agent_id: str
    begins: bool = False


@dataclass(frozen=True, slots=True)
class All:
    """What has every one of `parts` and none of `without`."""

    parts: tuple["Expression", ...]
    without: tuple["Expression", ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """What has one of `parts`."""

    parts: tuple["Expression", ...]


Expression = Term | ByAgent | All | AnyOf


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A query that was read: plain `words`, or an `expression`; neither where nothing is looked for."""

    words: tuple[str, ...] = ()
    expression: Expression | None = None

    @property
    def terms(self) -> tuple[Term, ...]:
        """Return the terms that are looked for, in order, without those that are left out."""
        if self.expression is None:
            return tuple(Term(TermKind.WORD, word) for word in self.words)
        return tuple(_terms(self.expression))

    @property
    def text(self) -> str:
        """Return the words that are looked for as one line, for a model that knows what they mean."""
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
