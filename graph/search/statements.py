"""Statements found by their words: full text over claims, cited passages and titles of documents.

Plain words must all be in one text, each as it is or as another form of an English word (zoning, zone, zoned); if no
statement has all, any may. Matching claims come before passages, and passages before titles. A query with more syntax
(`graph.search.query`) gets candidates from the indexes, the `MAX_HITS` best of each part, and the `MAX_COMPARED` best
of these are compared completely with the texts of the statement, in a thread of its own and up to the limits of
`graph.search.matching`: so both engines return the same.

Texts that the reader may not see are not searched: passages and titles are in an index of their class, and those of
classes above the reader are not queried, so that they do not affect the order or the number of hits.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from graph.clearance import Reader
from graph.search.expression import All, AnyOf, ByAgent, Expression, Field, SearchQuery, Term
from graph.search.lucene import lucene_term, lucene_words
from graph.search.matching import Allowance, StatementTexts, holds
from graph.search.query import parse_query
from graph.store import Row, Store

MAX_HITS = 5_000  # of each index
MAX_COMPARED = 2_000  # candidates of a query that says more than words

_PAGE = 200
_QUERIES = {
    None: "search_statements",
    Field.CLAIM: "search_claims",
    Field.EVIDENCE: "search_passages",
    Field.TITLE: "search_titles",
}


async def search_statements(
    store: Store, reader: Reader, topic: str, *, first: int, min_score: float | None = None
) -> list[str]:
    """Return the hashes of statements about a topic, best first; with `min_score` only verified ones of that score.

    Raises InputError for an invalid query.
    """
    return await find_by_text(store, reader, parse_query(topic), first=first, min_score=min_score)


async def find_by_text(
    store: Store, reader: Reader, query: SearchQuery, *, first: int, min_score: float | None = None
) -> list[str]:
    """Return the hashes of the statements that match a query by their words, best first."""
    search = _TextSearch(store, reader, min_score)
    if query.expression is not None:
        return await search.expression(query.expression, first)
    return await search.words(query.words, first)


@dataclass(frozen=True, slots=True)
class _Place:
    """The rank of a match: in the claim (0), a passage (1) or a title (2), and the index's score."""

    tier: int
    score: float


_Places = Mapping[str, _Place]


@dataclass(frozen=True, slots=True)
class _TextSearch:
    store: Store
    reader: Reader
    min_score: float | None

    async def words(self, words: Sequence[str], first: int) -> list[str]:
        for operator in ("AND", "OR")[: len(words)]:
            text = lucene_words(words, operator)
            rows = await self._ask(None, text, first) if text is not None else []
            if rows:
                return _ordered(_places(rows))[:first]
        return []

    async def expression(self, expression: Expression, first: int) -> list[str]:
        candidates = await self._candidates(expression)
        if candidates is None:
            candidates = await self._of_agents(expression)
        ordered = _ordered(candidates)[:MAX_COMPARED]
        found: list[str] = []
        allowance = Allowance()
        for start in range(0, len(ordered), _PAGE):
            page = ordered[start : start + _PAGE]
            texts = await self._texts(page)
            found += await asyncio.to_thread(_holding, expression, page, texts, allowance)
            if len(found) >= first or not allowance.left:
                break
        return found[:first]

    async def _candidates(self, expression: Expression) -> _Places | None:
        """Return statements that may match an expression; None if it has no words that an index has."""
        match expression:
            case Term():
                text = lucene_term(expression)
                return None if text is None else _places(await self._ask(expression.field, text, MAX_HITS))
            case ByAgent():
                return None
            case All(parts=parts):
                known = [found for part in parts if (found := await self._candidates(part)) is not None]
                return _both(known) if known else None
            case AnyOf(parts=parts):
                each = [await self._candidates(part) for part in parts]
                of_agents = [await self._of_agents(part) for part, one in zip(parts, each, strict=True) if one is None]
                return _either([*(one for one in each if one is not None), *of_agents])

    async def _of_agents(self, expression: Expression) -> _Places:
        """Return the newest statements of the agents that an expression names."""
        found: dict[str, _Place] = {}
        for agent in _agents(expression):
            rows = await self.store.read(
                "search_agents",
                agent=agent.agent_id,
                begins=agent.begins,
                min_score=self.min_score,
                first=MAX_HITS,
            )
            found |= {row["signed_hash"]: _Place(3, float(row["log_index"])) for row in rows}
        return found

    async def _ask(self, field: Field | None, text: str, first: int) -> list[Row]:
        readable = {} if field is Field.CLAIM else {"readable": list(self.reader.readable)}
        asked = {"query": text, "min_score": self.min_score, "first": first, **readable}
        return await self.store.read(_QUERIES[field], hits=MAX_HITS, **asked)

    async def _texts(self, hashes: Sequence[str]) -> dict[str, StatementTexts]:
        rows = await self.store.read("texts_of_statements", hashes=list(hashes), readable=list(self.reader.readable))
        return {
            row["signed_hash"]: StatementTexts(
                row["agent_id"], row["claim_text"], tuple(row["passages"]), tuple(row["titles"])
            )
            for row in rows
        }


def _holding(
    expression: Expression, names: Sequence[str], texts: Mapping[str, StatementTexts], allowance: Allowance
) -> list[str]:
    # A statement that was compared in part may hold the words that the query leaves out.
    return [name for name in names if name in texts and holds(expression, texts[name], allowance) and allowance.left]


def _places(rows: Sequence[Row]) -> _Places:
    found: dict[str, _Place] = {}
    for row in sorted(rows, key=lambda row: (row["tier"], -row["score"])):
        found.setdefault(row["signed_hash"], _Place(row["tier"], row["score"]))
    return found


def _ordered(places: _Places) -> list[str]:
    return sorted(places, key=lambda name: (places[name].tier, -places[name].score, name))


def _both(found: Sequence[_Places]) -> _Places:
    names = set(found[0]).intersection(*found[1:])
    return {name: _joined([one[name] for one in found]) for name in names}


def _either(found: Sequence[_Places]) -> _Places:
    names = {name for one in found for name in one}
    return {name: _joined([one[name] for one in found if name in one]) for name in names}


def _joined(places: Sequence[_Place]) -> _Place:
    return _Place(min(place.tier for place in places), sum(place.score for place in places))


def _agents(expression: Expression) -> Iterator[ByAgent]:
    match expression:
        case ByAgent():
            yield expression
        case All(parts=parts) | AnyOf(parts=parts):
            for part in parts:
                yield from _agents(part)
        case Term():
            pass
