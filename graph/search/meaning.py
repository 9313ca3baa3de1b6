"""Statements found by meaning: texts whose vectors are near that of the question.

Near texts are looked up in the graph before they are shown: a statement found by a passage is shown only to readers
cleared for the present class of the passage, and not if it was erased meanwhile.
"""

import asyncio
import logging
from collections.abc import Collection

from a2ap.boundary import STRICTEST, Boundary
from graph.clearance import Reader
from graph.errors import EmbeddingError, GraphError
from graph.search.embedder import Embedder
from graph.search.vectors import IndexState, Near, TextKind, VectorStore
from graph.store import Store

logger = logging.getLogger(__name__)

MAX_DIMENSION = 4_096
_NEAR = 400
"""The number of nearest texts of each kind that are looked up."""

_HITS = 5_000


class Meaning:
    """A model and the vectors that it made."""

    def __init__(self, store: Store, embedder: Embedder, vectors: VectorStore, closeness: float) -> None:
        self.embedder = embedder
        self.vectors = vectors
        self._store = store
        self._closeness = closeness
        self._ready = False
        self._dimension = 0
        # A model that is cleared for more has more to read, and so begins again.
        wide = embedder.clearance is STRICTEST
        self._name = embedder.model if wide else f"{embedder.model} up to {embedder.clearance}"
        self._lock = asyncio.Lock()

    async def prepare(self) -> IndexState:
        """Return the state of this model's vectors; those of another model are deleted first."""
        async with self._lock:
            dimension = self._dimension or (await self.embedder.embed(["dimension"])).shape[1]
            if dimension > MAX_DIMENSION:
                raise EmbeddingError(f"{self.embedder.model} has {dimension} dimensions, and {MAX_DIMENSION} are kept")
            self._dimension = dimension
            state = await self.vectors.state()
            if state is None or (state.model, state.dimension) != (self._name, dimension):
                state = IndexState(self._name, dimension)
                await self.vectors.begin(state)
            self._ready = True
            return state

    async def find(self, text: str, reader: Reader, min_score: float | None = None) -> list[str] | None:
        """Return the hashes of statements near a text, nearest first; None if that is not possible now.

        The nearest text of a statement counts: its claim, or a passage that it cites and the reader may see.
        """
        try:
            if not self._ready and not await self._is_of_this_model():
                return None
            (vector,) = await self.embedder.embed([text])
            asked = [float(number) for number in vector]
            if not any(asked):
                return []
            claims = await self.vectors.nearest(asked, TextKind.CLAIM, (Boundary.PUBLIC,), _NEAR)
            readable = tuple(Boundary(name) for name in reader.readable)
            passages = await self.vectors.nearest(asked, TextKind.PASSAGE, readable, _NEAR)
            return await self._statements(self._close(claims), self._close(passages), reader, min_score)
        except GraphError as error:
            logger.warning("search by meaning is left out: %s", error)
            return None

    async def aclose(self) -> None:
        """Close the store of vectors."""
        await self.vectors.aclose()

    async def _is_of_this_model(self) -> bool:
        state = await self.vectors.state()
        self._ready = state is not None and state.model == self._name
        return self._ready

    def _close(self, found: Collection[Near]) -> dict[str, float]:
        return {near.key: near.similarity for near in found if near.similarity >= self._closeness}

    async def _statements(
        self, claims: dict[str, float], passages: dict[str, float], reader: Reader, min_score: float | None
    ) -> list[str]:
        if not claims and not passages:
            return []
        rows = await self._store.read(
            "statements_near",
            claims=list(claims),
            passages=list(passages),
            readable=list(reader.readable),
            min_score=min_score,
            first=_HITS,
        )
        best: dict[str, float] = {}
        for row in rows:
            name, key = row["signed_hash"], row["key"]
            best[name] = max(best.get(name, -1.0), claims.get(key, -1.0), passages.get(key, -1.0))
        # Rounded: the last digits of a cosine are the engine's.
        return sorted(best, key=lambda name: (-round(best[name], 6), name))
