"""Erases stored bytes once their redaction is in the log, and finishes interrupted erasures at the next start.

The order is entry first, then bytes: an entry without an erasure is finished, an erasure without an entry would be a
loss. Bytes that another entry of the log needs stay, and no endpoint gives them out under the redacted name.
"""

import logging
from collections.abc import AsyncIterator, Sequence

from graph.content.content_store import ContentStore
from graph.errors import ContentError
from graph.retention.redactions import RedactionRecord
from graph.store import Reads

logger = logging.getLogger(__name__)

_PAGE = 200


async def erase(store: Reads, content: ContentStore, target: str) -> list[str]:
    """Erase the bytes that the redactions of one message or source removed; return the hashes erased by this call."""
    rows = await store.read("redactions_by_target", targets=[target])
    return await _erase(store, content, [RedactionRecord.from_row(row) for row in rows])


async def finish_erasing(store: Reads, content: ContentStore) -> list[str]:
    """Erase the remaining bytes of all redactions in the log; return the hashes erased by this call."""
    gone: list[str] = []
    done: set[str] = set()
    async for record in all_redactions(store):
        if record.target not in done:
            done.add(record.target)
            try:
                gone += await erase(store, content, record.target)
            except ContentError as error:
                logger.error("%s cannot be erased: %s", record.document_hash, error)
    return gone


async def all_redactions(store: Reads, start: int = 0) -> AsyncIterator[RedactionRecord]:
    """Yield the redactions of this graph from a place in the log on, in log order."""
    while rows := await store.read("redactions_from", start=start, first=_PAGE):
        for row in rows:
            yield RedactionRecord.from_row(row)
        start = rows[-1]["log_index"] + 1


def erased_names(records: Sequence[RedactionRecord]) -> list[str]:
    """Return the hashes under which nothing may be kept after all redactions of one message or source, in log order."""
    remainders = [record.redacted_document_hash for record in records]
    names = dict.fromkeys([records[0].document_hash, *remainders[:-1]])
    return [name for name in names if name is not None and name != remainders[-1]]


async def _erase(store: Reads, content: ContentStore, records: list[RedactionRecord]) -> list[str]:
    if not records:
        return []
    gone = []
    for name in erased_names(records):
        if await content.has(name) and not await _needed(store, name, records[0]):
            await content.remove(name)
            logger.info("%s is erased, as %s says", name, records[-1].redaction_id)
            gone.append(name)
    return gone


async def _needed(store: Reads, name: str, record: RedactionRecord) -> bool:
    """Return whether another entry of the log needs these bytes: the log cannot be read without them."""
    entries = await store.read("log_entries_of_documents", hashes=[name])
    return any(row["signed_hash"] != record.target for row in entries)
