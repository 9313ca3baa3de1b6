"""Vectors in the graph's own engine: nodes `:SearchVector`, and a vector index for each class of readers.

A node has its numbers in a property named by class and dimension (`public_384`), so that the index of a class contains
nothing of another class, and vectors of different dimensions do not interfere. An index is made for the first text of
its class; the node `:SearchIndex` has the names of the indexes and the log size that the vectors cover.
"""

from collections.abc import Collection, Sequence
from typing import Any

from a2ap.boundary import Boundary
from cypher import vector_index_statements
from graph.search.vectors import IndexState, Near, TextKind, TextVector
from graph.store import Store

_NAME = "graph"
_PREFIX = "vectors_"
_PAGE = 1_000


class GraphVectors:
    """Stores vectors in the store's database."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._dimension = 0
        self._indexes: set[str] = set()

    async def state(self) -> IndexState | None:
        """Return the state of the vectors, None if there are none."""
        rows = await self._store.read("search_index_state", name=_NAME)
        if not rows:
            return None
        self._indexes = set(rows[0]["indexes"])
        state = IndexState(rows[0]["model"], rows[0]["dimension"], rows[0]["log_size"])
        self._dimension = state.dimension
        return state

    async def begin(self, state: IndexState) -> None:
        """Delete everything and prepare for vectors of this model and dimension."""
        before = await self.state()
        while (await self._store.write(lambda transaction: transaction.run("forget_vectors", first=_PAGE)))[0]["gone"]:
            pass
        await self.advance(state)
        if before is not None and before.dimension != state.dimension:
            for name in sorted(self._indexes):
                await self._define("drop", name.removeprefix(_PREFIX), before.dimension)
            await self._store.write(lambda transaction: transaction.run("forget_vector_indexes", name=_NAME))
            self._indexes = set()

    async def put(self, vectors: Sequence[TextVector]) -> None:
        """Store vectors; leave out those whose text is not in the graph, or was erased meanwhile."""
        rows: dict[TextKind, list[dict[str, Any]]] = {kind: [] for kind in TextKind}
        for one in vectors:
            name = _property(one.kind, one.boundary, len(one.vector))
            properties = {"vector_key": one.key, "kind": one.kind.value, name: list(one.vector)}
            rows[one.kind].append({"key": one.key, "properties": properties})
            if _PREFIX + name not in self._indexes:
                await self._make_index(name, len(one.vector))
        await self._write("write_claim_vectors", rows[TextKind.CLAIM])
        await self._write("write_passage_vectors", rows[TextKind.PASSAGE])

    async def remove(self, keys: Collection[str]) -> None:
        """Delete the vectors with these keys."""
        if keys:
            await self._store.write(lambda transaction: transaction.run("remove_vectors", keys=sorted(keys)))

    async def advance(self, state: IndexState) -> None:
        """Store the log size that the vectors cover."""
        self._dimension = state.dimension
        await self._store.write(
            lambda transaction: transaction.run(
                "write_search_index_state",
                name=_NAME,
                model=state.model,
                dimension=state.dimension,
                log_size=state.log_size,
            )
        )

    async def nearest(
        self, vector: Sequence[float], kind: TextKind, boundaries: Collection[Boundary], first: int
    ) -> list[Near]:
        """Return the nearest texts of a kind and of these classes, nearest first, then by key."""
        if len(vector) != self._dimension:
            return []
        names = sorted({_index(kind, boundary, self._dimension) for boundary in boundaries})
        rows = await self._store.read("nearest_vectors", indexes=names, first=first, vector=list(vector))
        # Both engines give (1 + cosine) / 2.
        found = [Near(row["key"], kind, 2 * row["score"] - 1) for row in rows]
        return sorted(found, key=lambda near: (-round(near.similarity, 6), near.key))[:first]

    async def aclose(self) -> None:
        """Do nothing: the caller owns the store."""

    async def _write(self, query: str, rows: list[dict[str, Any]]) -> None:
        if rows:
            await self._store.write(lambda transaction: transaction.run(query, rows=rows))

    async def _define(self, what: str, name: str, dimension: int) -> None:
        await self._store.define(vector_index_statements(self._store.kind, what, name, dimension))

    async def _make_index(self, name: str, dimension: int) -> None:
        await self._define("create", name, dimension)
        made = [_PREFIX + name]
        # Added to those of another process, which may be making one at the same time.
        await self._store.write(lambda transaction: transaction.run("write_vector_indexes", name=_NAME, indexes=made))
        self._indexes.update(made)


def _property(kind: TextKind, boundary: Boundary, dimension: int) -> str:
    of = "claim" if kind is TextKind.CLAIM else boundary.value.replace("-", "_")
    return f"{of}_{dimension}"


def _index(kind: TextKind, boundary: Boundary, dimension: int) -> str:
    return _PREFIX + _property(kind, boundary, dimension)
