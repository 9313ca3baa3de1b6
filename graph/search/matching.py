"""Places of terms in a text, and the check whether a statement's texts match a query.

Spans are half-open and count characters (code points). A text is split into words once for all terms, and the number of
characters compared is limited: `MAX_OF_STATEMENT` of one statement, `MAX_OF_QUERY` for one query.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from graph.search.expression import All, AnyOf, ByAgent, Expression, Field, Term, TermKind
from graph.search.words import STOP_WORDS, Word, words_of

MAX_SPANS = 100
"""The maximum number of places shown of one text."""

MAX_OF_STATEMENT = 100_000
MAX_OF_QUERY = 4_000_000
_MAX_PHRASE = 50  # words of a phrase that are compared

Span = tuple[int, int]


@dataclass(slots=True)
class Allowance:
    """The number of characters that may still be compared."""

    left: int = MAX_OF_QUERY

    def take(self, text: str) -> str:
        """Return the part of a text that may still be compared, and count it."""
        taken = text[: self.left]
        self.left -= len(taken)
        return taken


@dataclass(frozen=True, slots=True)
class StatementTexts:
    """The texts of a statement that one reader may search: its claim, cited passages, and titles of the documents."""

    agent_id: str
    claim: str
    passages: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()

    def of(self, field: Field | None) -> tuple[str, ...]:
        """Return the texts of a field, all of them for None."""
        match field:
            case Field.CLAIM:
                return (self.claim,)
            case Field.EVIDENCE:
                return self.passages
            case Field.TITLE:
                return self.titles
            case None:
                return (self.claim, *self.passages, *self.titles)


class _Read:
    """The words of a statement's texts; each text is split into words on first use."""

    def __init__(self, texts: StatementTexts, allowance: Allowance) -> None:
        self.texts = texts
        self._of_query = allowance
        self._of_statement = Allowance(MAX_OF_STATEMENT)
        self._words: dict[str, tuple[Word, ...]] = {}

    def words(self, text: str) -> tuple[Word, ...]:
        if text not in self._words:
            self._words[text] = words_of(self._of_query.take(self._of_statement.take(text)))
        return self._words[text]


def holds(expression: Expression, texts: StatementTexts, allowance: Allowance | None = None) -> bool:
    """Return whether a statement matches the query, as far as the allowance reaches."""
    return _holds(expression, _Read(texts, allowance or Allowance()))


def _holds(expression: Expression, read: _Read) -> bool:
    match expression:
        case Term():
            return any(_places(expression, read.words(text)) for text in read.texts.of(expression.field))
        case ByAgent(agent_id=agent_id, begins=begins):
            return read.texts.agent_id.startswith(agent_id) if begins else read.texts.agent_id == agent_id
        case All(parts=parts, without=without):
            return all(_holds(part, read) for part in parts) and not any(_holds(part, read) for part in without)
        case AnyOf(parts=parts):
            return any(_holds(part, read) for part in parts)


def spans_of(text: str, terms: Sequence[Term], field: Field) -> tuple[Span, ...]:
    """Return the places of the terms for this field in its text, in order, without overlap."""
    words = words_of(text[:MAX_OF_STATEMENT])
    wanted = [term for term in terms if term.field in (None, field) and not _says_nothing(term)]
    found = sorted(span for term in wanted for span in _places(term, words))
    joined: list[Span] = []
    for start, end in found:
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return tuple(joined[:MAX_SPANS])


def _places(term: Term, words: Sequence[Word]) -> list[Span]:
    if term.kind is TermKind.PREFIX:
        beginning = term.text.lower()
        return [(word.start, word.end) for word in words if word.text.startswith(beginning)]
    asked = _asked(term.text)
    if not asked:
        return []
    return [
        (words[place].start, words[place + len(asked) - 1].end)
        for place in range(len(words) - len(asked) + 1)
        if words[place].stem == asked[0] and all(words[place + n].stem == one for n, one in enumerate(asked))
    ]


@lru_cache(maxsize=1_000)
def _asked(text: str) -> tuple[str, ...]:
    return tuple(word.stem for word in words_of(text)[:_MAX_PHRASE])


@lru_cache(maxsize=1_000)
def _says_nothing(term: Term) -> bool:
    return term.kind is not TermKind.PREFIX and all(word.text in STOP_WORDS for word in words_of(term.text))
