"""Statements about a topic: full text over claims, cited passages and titles of documents.

The topic is words, never a query: each is quoted, so that no character of it means anything to Lucene. All words must
be there, each in itself or as another form of an English word (zoning, zone, zoned); where that finds nothing, any may.
Claims that match come before passages, and passages before titles.
"""

import re
from collections.abc import Iterator

from graph.clearance import Reader
from graph.store import Store

MAX_WORDS = 16
MAX_WORD = 64  # characters
MAX_HITS = 5_000  # of each index

_WORD = re.compile(r"\w+")
_ENDINGS = ("", "s", "es", "ed", "ing", "e")


async def search_statements(
    store: Store, reader: Reader, topic: str, *, first: int, min_score: float | None = None
) -> list[str]:
    """Return the hashes of statements about a topic, best first; with `min_score` only verified ones that score it.

    What the reader may not see is not searched.
    """
    words = [word[:MAX_WORD] for word in _WORD.findall(topic.lower())][:MAX_WORDS]
    for operator in (" AND ", " OR ")[: len(words)]:
        rows = await store.read(
            "search_statements",
            query=operator.join(_either(word) for word in words),
            readable=list(reader.readable),
            min_score=min_score,
            hits=MAX_HITS,
            first=first,
        )
        if rows:
            rows.sort(key=lambda row: row["tier"])
            return list(dict.fromkeys(row["signed_hash"] for row in rows))[:first]
    return []


def _either(word: str) -> str:
    """Return the Lucene query for a word or another form of it."""
    return "(" + " OR ".join(f'"{form}"' for form in dict.fromkeys(_forms(word))) + ")"


def _forms(word: str) -> Iterator[str]:
    yield word
    if not (word.isascii() and word.isalpha()) or len(word) < 3:
        return
    if word.endswith(("y", "ies")):
        stem = word.removesuffix("ies").removesuffix("y")
        yield from (stem + "y", stem + "ies")
    for ending in ("ing", "ed", "es", "s", "e", ""):
        stem = word.removesuffix(ending)
        if word.endswith(ending) and len(stem) >= 3:
            yield from (stem + other for other in _ENDINGS)
            return
