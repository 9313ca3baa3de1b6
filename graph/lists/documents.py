"""Lists of source documents, filtered by the members of their registrations, and ordered.

A title that the reader may not see counts as absent: its place in an order would reveal it.
"""

from dataclasses import dataclass
from enum import StrEnum

from graph.clearance import Reader
from graph.lists.cursor import Key, Ordering
from graph.lists.span import Span
from graph.lists.worded import bounds_of, cut, made_whole
from graph.store import Row, Store


class DocumentOrder(StrEnum):
    """The orders in which documents can be listed."""

    HASH = "HASH"
    TITLE = "TITLE"
    BYTE_LENGTH = "BYTE_LENGTH"
    REGISTERED = "REGISTERED"


@dataclass(frozen=True, slots=True)
class DocumentChoice:
    """A selection of documents; None is no condition."""

    name: str | None = None
    publisher: str | None = None
    licence: str | None = None
    media_type: str | None = None
    boundaries: tuple[str, ...] | None = None
    held: bool | None = None
    registered: bool | None = None


_TYPES: dict[DocumentOrder, tuple[type, ...]] = {
    DocumentOrder.HASH: (str,),
    DocumentOrder.TITLE: (str, str),
    DocumentOrder.BYTE_LENGTH: (int, str),
    DocumentOrder.REGISTERED: (int, str),
}


def ordering_of(order: DocumentOrder, *, descending: bool) -> Ordering:
    """Return an ordering of documents; documents of equal rank are ordered by hash, or by name if they have none."""
    return Ordering(f"documents by {order}", _TYPES[order], descending)


def key_of(order: DocumentOrder, row: Row) -> Key:
    """Return the key of a row in this ordering."""
    match order:
        case DocumentOrder.HASH:
            return (row["document_key"],)
        case DocumentOrder.TITLE:
            return (cut(row["word"]), row["document_key"])
        case _:
            return (row["rank"], row["document_key"])


async def find_documents(
    store: Store, choice: DocumentChoice, reader: Reader, order: DocumentOrder, span: Span
) -> list[Row]:
    """Return the rows of the documents in a span that the reader may know of, in the span's direction of reading."""
    parameters: dict[str, object] = {
        "readable": list(reader.readable),
        "publisher": choice.publisher,
        "licence": choice.licence,
        "media_type": choice.media_type,
        "boundaries": None if choice.boundaries is None else list(choice.boundaries),
        "held": choice.held,
        "registered": choice.registered,
        "sign": span.sign,
        "limit": span.limit,
    }
    keys = None
    if choice.name is not None:
        keys = [row["document_key"] for row in await store.read("lineage_documents", name=choice.name)]
    if order is not DocumentOrder.HASH:
        bounds = await _bounds(store, reader, span)
        return await store.read("find_documents_by", keys=keys, order=order.value, **bounds, **parameters)
    low, high = "" if span.low is None else span.low[0], None if span.high is None else span.high[0]
    if keys is None:
        return await store.read("find_documents", low=low, high=high, **parameters)
    return await store.read("find_documents_among", keys=keys, low=low, high=high, **parameters)


async def _bounds(store: Store, reader: Reader, span: Span) -> dict[str, object]:
    async def title_of(key: str) -> str | None:
        rows = await store.read("title_of_document", key=key, readable=list(reader.readable))
        return rows[0]["title"] if rows else None

    return bounds_of(await made_whole(span.low, title_of), await made_whole(span.high, title_of))
