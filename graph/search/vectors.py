"""The store of vectors: a port, with the implementations `graph_vectors` and `qdrant_vectors`.

Vectors are only an index: they are made from the graph, by a model with a name, and can be made again at any time. They
are in no log and no export, and no audit examines them. Each is stored under the class of its text, and a search
queries only the classes of its reader: near texts of other classes do not change a reader's results.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from a2ap.boundary import Boundary


class TextKind(StrEnum):
    """The text of a vector: a statement's claim, which is public, or a cited passage."""

    CLAIM = "claim"
    PASSAGE = "passage"


@dataclass(frozen=True, slots=True)
class TextVector:
    """The vector of a text: `key` is the signed hash of the statement, or the key of the chunk."""

    key: str
    kind: TextKind
    boundary: Boundary
    vector: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """A text near the query; `similarity` is the cosine."""

    key: str
    kind: TextKind
    similarity: float


@dataclass(frozen=True, slots=True)
class IndexState:
    """The state of the vectors: their model, their dimension, and the log size that they cover."""

    model: str
    dimension: int
    log_size: int = 0


class VectorStore(Protocol):
    """Stores vectors by their keys."""

    async def state(self) -> IndexState | None:
        """Return the state of the vectors, None if there are none."""
        ...

    async def begin(self, state: IndexState) -> None:
        """Delete everything and prepare for vectors of this model and dimension."""
        ...

    async def put(self, vectors: Sequence[TextVector]) -> None:
        """Store vectors, replacing those with the same keys."""
        ...

    async def remove(self, keys: Collection[str]) -> None:
        """Delete the vectors with these keys."""
        ...

    async def advance(self, state: IndexState) -> None:
        """Store the log size that the vectors cover; all earlier `put` calls are durable."""
        ...

    async def nearest(
        self, vector: Sequence[float], kind: TextKind, boundaries: Collection[Boundary], first: int
    ) -> list[Near]:
        """Return the nearest texts of a kind and of these classes, nearest first, then by key."""
        ...

    async def aclose(self) -> None:
        """Close the connections that the store opened."""
        ...
