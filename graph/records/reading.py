"""The bytes of records, for readers with access to them."""

from graph.clearance import Reader, boundary_of
from graph.content.content_store import ContentStore
from graph.errors import NotFoundError, RedactedError
from graph.store import Row, Store


async def bytes_of_record(store: Store, content: ContentStore, record_hash: str, label: str, reader: Reader) -> bytes:
    """Return the bytes of a record whose node has this label.

    Raises `NotFoundError`, `ForbiddenError` above the reader's clearance, and `RedactedError` if they were erased.
    """
    known = await find_record(store, record_hash, label)
    if known is None:
        raise NotFoundError(f"no {label.lower()} {record_hash} is registered")
    reader.check(boundary_of(known["boundary"]), record_hash)
    if known["redacted"]:
        raise RedactedError(f"{record_hash} was {known['redacted']}")
    if not known["held"]:
        raise NotFoundError(f"the bytes of {record_hash} are not here")
    return await content.get(record_hash)


async def find_record(store: Store, record_hash: str, label: str | None = None) -> Row | None:
    """Return the row of the record of these bytes: its label, its boundary, and whether they are held or erased."""
    rows = await store.read("records_known", hashes=[record_hash])
    return next((row for row in rows if label is None or row["label"] == label), None)
