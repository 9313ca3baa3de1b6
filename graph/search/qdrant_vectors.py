"""Vectors in Qdrant: one collection, a point for each text, its class in the payload and in every query.

The state of the vectors is a point of a second collection, so that an emptied Qdrant is filled again. Qdrant does not
accept a key as the name of a point, so the name is a version-5 UUID of it.
"""

from collections.abc import Awaitable, Collection, Sequence
from typing import Any, TypeVar
from uuid import NAMESPACE_URL, uuid5

from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException

from a2ap.boundary import Boundary
from graph.errors import StoreUnavailableError
from graph.search.vectors import IndexState, Near, TextKind, TextVector

T = TypeVar("T")

_VECTORS, _STATE = "a2ap_vectors", "a2ap_vectors_state"
_STATE_POINT = str(uuid5(NAMESPACE_URL, _STATE))
_FAILURES = (ApiException, ResponseHandlingException, ValueError, OSError)


class QdrantVectors:
    """Stores vectors in the Qdrant of a client."""

    def __init__(self, client: AsyncQdrantClient) -> None:
        self._client = client

    @classmethod
    def at(cls, url: str, key: str | None) -> "QdrantVectors":
        """Return the vectors at an address."""
        return cls(AsyncQdrantClient(url=url, api_key=key, timeout=30, check_compatibility=False))

    async def state(self) -> IndexState | None:
        """Return the state of the vectors, None if there are none."""
        for name in (_VECTORS, _STATE):
            if not await _told(self._client.collection_exists(name)):
                return None
        found = await _told(self._client.retrieve(_STATE, [_STATE_POINT], with_payload=True))
        payload = found[0].payload if found else None
        return None if payload is None else IndexState(payload["model"], payload["dimension"], payload["log_size"])

    async def begin(self, state: IndexState) -> None:
        """Delete everything and prepare for vectors of this model and dimension."""
        for name, size in ((_VECTORS, state.dimension), (_STATE, 1)):
            await _told(self._client.delete_collection(name))
            of_size = models.VectorParams(size=size, distance=models.Distance.COSINE)
            await _told(self._client.create_collection(name, vectors_config=of_size))
        for field in ("kind", "boundary"):
            await _told(
                self._client.create_payload_index(_VECTORS, field, field_schema=models.PayloadSchemaType.KEYWORD)
            )
        await self.advance(state)

    async def put(self, vectors: Sequence[TextVector]) -> None:
        """Store vectors, replacing those with the same keys."""
        points = [
            models.PointStruct(
                id=_name(one.key),
                vector=list(one.vector),
                payload={"key": one.key, "kind": one.kind.value, "boundary": one.boundary.value},
            )
            for one in vectors
        ]
        if points:
            await _told(self._client.upsert(_VECTORS, points, wait=True))

    async def remove(self, keys: Collection[str]) -> None:
        """Delete the vectors with these keys."""
        if keys:
            selected = models.PointIdsList(points=[_name(key) for key in sorted(keys)])
            await _told(self._client.delete(_VECTORS, selected, wait=True))

    async def advance(self, state: IndexState) -> None:
        """Store the log size that the vectors cover."""
        payload = {"model": state.model, "dimension": state.dimension, "log_size": state.log_size}
        point = models.PointStruct(id=_STATE_POINT, vector=[1.0], payload=payload)
        await _told(self._client.upsert(_STATE, [point], wait=True))

    async def nearest(
        self, vector: Sequence[float], kind: TextKind, boundaries: Collection[Boundary], first: int
    ) -> list[Near]:
        """Return the nearest texts of a kind and of these classes, nearest first, then by key."""
        wanted = models.Filter(
            must=[
                models.FieldCondition(key="kind", match=models.MatchValue(value=kind.value)),
                models.FieldCondition(
                    key="boundary", match=models.MatchAny(any=sorted(one.value for one in boundaries))
                ),
            ]
        )
        answer = await _told(
            self._client.query_points(_VECTORS, query=list(vector), query_filter=wanted, limit=first, with_payload=True)
        )
        found = [Near(_payload(point)["key"], kind, float(point.score)) for point in answer.points]
        return sorted(found, key=lambda near: (-round(near.similarity, 6), near.key))

    async def aclose(self) -> None:
        """Close the connection."""
        await self._client.close()


async def _told(asked: Awaitable[T]) -> T:
    try:
        return await asked
    except _FAILURES as error:
        raise StoreUnavailableError(f"Qdrant does not answer the request: {error}") from error


def _payload(point: models.ScoredPoint) -> dict[str, Any]:
    return point.payload or {}


def _name(key: str) -> str:
    return str(uuid5(NAMESPACE_URL, key))
