"""A bundle's copies of the sources that its statement cites: the bytes, the cited passages, or why neither."""

import base64
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from a2ap.messages.evidence import ByteRange
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.errors import ContentNotFoundError
from graph.retention.redactions import RedactionRecord, redactions_of
from graph.store import Store

MAX_SOURCE_BYTES = 2**20
"""Of a longer source, a bundle contains only the cited passages, or none if they exceed this size in total."""


@dataclass(frozen=True, slots=True)
class BundleSources:
    """Reads sources for the bundles of one reader."""

    store: Store
    content: ContentStore
    reader: Reader

    async def members(self, statement: bytes) -> list[dict[str, Any]]:
        """Return the `sources` of the bundle of a statement, ordered by hash."""
        message = read_message(statement)
        assert isinstance(message, ProvenanceStatement)
        cited: dict[str, set[ByteRange]] = {}
        for segment in message.evidence:
            if segment.document_hash:
                cited.setdefault(segment.document_hash, set()).add(segment.byte_range)
        names = sorted(cited)
        known = {row["document_hash"]: row for row in await self.store.read("documents_known", hashes=names)}
        erased = await redactions_of(self.store, names)
        return [await self._source(name, cited[name], known.get(name, {}), erased.get(name, ())) for name in names]

    async def _source(
        self, name: str, cited: Collection[ByteRange], known: Mapping[str, Any], erased: Sequence[RedactionRecord]
    ) -> dict[str, Any]:
        reason = self.reader.reason_withheld(boundary_of(known["boundary"])) if known else "nobody registered it here"
        if reason is None and erased:
            reason = f"it was {erased[-1].sentence}"
        if reason is None and not known.get("held"):
            reason = "its bytes are not here"
        members: dict[str, Any] = {"documentHash": name, "content": None, "withheld": reason}
        if reason is not None:
            return members
        try:
            size = await self.content.size(name)
            if size <= MAX_SOURCE_BYTES:
                return members | {"content": base64_text(await self.content.get(name))}
            passages = await self._passages(name, size, cited)
            return members | {"withheld": f"it has more than {MAX_SOURCE_BYTES} bytes", "passages": passages}
        except ContentNotFoundError:
            return members | {"withheld": "its bytes are not here"}

    async def _passages(self, name: str, size: int, cited: Collection[ByteRange]) -> list[dict[str, Any]]:
        """Return the cited passages of a source, none if they are too long in total; without ranges beyond its end."""
        within = sorted((one.start, one.end) for one in cited if one.end <= size)
        if sum(end - start for start, end in within) > MAX_SOURCE_BYTES:
            return []
        return [
            {"start": start, "end": end, "content": base64_text(await self.content.get(name, start, end))}
            for start, end in within
        ]


def base64_text(data: bytes) -> str:
    """Return bytes in the encoding of a bundle."""
    return base64.b64encode(data).decode("ascii")
