"""Queries for the full-text indexes: Lucene's syntax, with every word quoted.

User input is never syntax: a word has no character that ends a quotation (`graph.search.words.WORD`), and a beginning
has letters, digits and `_` alone. An index returns candidates: the embedded engine stores no positions of words, so
that a phrase also finds texts with its words elsewhere, and `graph.search.matching` compares the texts.
"""

from collections.abc import Iterator, Sequence

from graph.search.expression import Term, TermKind
from graph.search.words import MAX_WORD, STOP_WORDS, WORD

# The rest of a word that begins so: an index has its stem, which may be shorter than the beginning.
_ENDINGS = ("ing", "ings", "ed", "es", "s", "e", "er", "ers", "y", "ies", "ly", "al", "ation", "ations", "ment", "ity")
_SHORTEST = 3


def lucene_words(words: Sequence[str], operator: str) -> str | None:
    """Return the query for all (`AND`) or any (`OR`) of the words; None if an index has none of them."""
    found = [_quoted(word) for word in words if not _is_stop(word)]
    return f" {operator} ".join(found) or None


def lucene_term(term: Term) -> str | None:
    """Return the query for candidates of a term; None if an index has none of its words."""
    if term.kind is TermKind.PREFIX:
        beginning = term.text.lower()[:MAX_WORD]
        longer = dict.fromkeys(_completed(beginning))
        return " OR ".join([f"{beginning}*", *(_quoted(word) for word in longer)])
    words = WORD.findall(term.text)
    if all(_is_stop(word) for word in words):
        return None
    return '"' + " ".join(word[:MAX_WORD] for word in words) + '"'


def _completed(beginning: str) -> Iterator[str]:
    """Yield words with this beginning whose stem may differ: `zonin` is of `zoning`, indexed as `zone`."""
    yield beginning
    for ending in _ENDINGS:
        for length in range(1, len(ending) + 1):
            base = beginning.removesuffix(ending[:length])
            if base != beginning and len(base) >= _SHORTEST:
                yield base + ending


def _is_stop(word: str) -> bool:
    return word.lower() in STOP_WORDS


def _quoted(word: str) -> str:
    return f'"{word.lower()[:MAX_WORD]}"'
