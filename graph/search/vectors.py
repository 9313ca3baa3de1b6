"""The store of vectors: the port of which `graph_vectors` and `qdrant_vectors` are two.

Vectors are an index and nothing else: they are made of what the graph has, by a model that has a name, and can be made
again at any time. They are in no log and no export, and no audit looks at them. Each is kept under who may read the
text that it was made of, and a search asks for the classes of its reader alone: how many texts of another class are
near changes nothing of what a reader finds.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from a2ap.boundary import Boundary


class TextKind(StrEnum):
    """What a vector was made of: a statement's claim, which anybody may read, or a cited passage."""

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
    """A text near to what was asked for; `similarity` is the cosine."""

    key: str
    kind: TextKind
    similarity: float


@dataclass(frozen=True, slots=True)
class IndexState:
    """How far the vectors go: made by which model, of which dimension, of so many entries of the log."""

    model: str
    dimension: int
    log_size: int = 0


class VectorStore(Protocol):
    """Keeps vectors by their keys."""

    async def state(self) -> IndexState | None:
        """Return how far the vectors go, None where there are none."""
        ...

    async def begin(self, state: IndexState) -> None:
        """Forget everything and prepare for vectors of this model and dimension."""
        ...

    async def put(self, vectors: Sequence[TextVector]) -> None:
        """Keep vectors, in place of what had their keys."""
        ...

    async def remove(self, keys: Collection[str]) -> None:
        """Forget the vectors with these keys."""
        ...

    async def advance(self, state: IndexState) -> None:
        """Note how far the vectors go; what was put before is durable."""
        ...

    async def nearest(
        self, vector: Sequence[float], kind: TextKind, boundaries: Collection[Boundary], first: int
    ) -> list[Near]:
        """Return what is nearest of a kind and of these classes, nearest first, by key where equally near."""
        ...

    async def aclose(self) -> None:
        """Let go of what was opened."""
        ...
