"""Search for the APIs: statements found by words and by meaning, merged into one list.

A query of words alone is searched in both ways. A query with more syntax is exact: there, meaning orders the statements
that the words have found, and adds none.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from graph.clearance import Reader
from graph.search.embedding_model import open_embedder
from graph.search.expression import SearchQuery
from graph.search.fusion import FoundBy, Ranked, fuse
from graph.search.graph_vectors import GraphVectors
from graph.search.meaning import Meaning
from graph.search.query import parse_query
from graph.search.statements import find_by_text
from graph.search.vectors import VectorStore
from graph.settings import Settings, SettingsError
from graph.store import Store

DEPTH = 200
"""The minimum number of results of each list that are merged, if there is a model."""


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The results of a query, best first; `by_meaning` says whether it was searched by meaning as well."""

    query: SearchQuery
    found: tuple[Ranked, ...]
    by_meaning: bool

    @property
    def hashes(self) -> list[str]:
        """Return the signed hashes of the statements, best first."""
        return [one.signed_hash for one in self.found]


@dataclass(frozen=True, slots=True)
class Search:
    """Search in one graph, by meaning if there is a model."""

    store: Store
    meaning: Meaning | None = None

    async def find(self, reader: Reader, text: str, *, first: int, min_score: float | None = None) -> SearchAnswer:
        """Return the `first` best statements for a query; with `min_score` only verified ones with at least that score.

        Texts that the reader may not see are not searched. Raises InputError for an invalid query.
        """
        query = parse_query(text)
        depth = max(first, DEPTH) if self.meaning is not None else first
        by_text = await find_by_text(self.store, reader, query, first=depth, min_score=min_score)
        near = await self._near(reader, query, min_score)
        lists = {FoundBy.TEXT: by_text}
        if near is not None:
            allowed = set(by_text)
            lists[FoundBy.MEANING] = near if query.words else [name for name in near if name in allowed]
            lists[FoundBy.MEANING] = lists[FoundBy.MEANING][:depth]
        return SearchAnswer(query, fuse(lists, first), near is not None)

    async def _near(self, reader: Reader, query: SearchQuery, min_score: float | None) -> list[str] | None:
        if self.meaning is None or not query.text:
            return None
        return await self.meaning.find(query.text, reader, min_score)


@asynccontextmanager
async def open_search(store: Store, settings: Settings) -> AsyncIterator[Search]:
    """Yield the search of the settings. Raises SettingsError for a model or a client that is not installed."""
    embedder = open_embedder(settings)
    if embedder is None:
        yield Search(store)
        return
    meaning = Meaning(store, embedder, _vectors(store, settings), settings.embeddings_closeness)
    try:
        yield Search(store, meaning)
    finally:
        await meaning.aclose()


def _vectors(store: Store, settings: Settings) -> VectorStore:
    if settings.qdrant_url is None:
        return GraphVectors(store)
    try:
        from graph.search.qdrant_vectors import QdrantVectors
    except ImportError as error:
        raise SettingsError("QDRANT_URL is set, and its client is not installed: pip install 'a2ap[qdrant]'") from error
    return QdrantVectors.at(settings.qdrant_url, settings.qdrant_key)
