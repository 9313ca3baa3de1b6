"""Bytes that are stored for another purpose than as a source: messages, remainders of redactions, content of packs."""

from collections.abc import Collection, Sequence

from graph.clearance import boundary_of
from graph.retention.redactions import remainders_among
from graph.store import Reads, Store


async def stored_otherwise(reads: Reads, names: Sequence[str]) -> set[str]:
    """Return those of these hashes whose bytes may be stored as a message, a remainder or content of a pack."""
    if not names:
        return set()
    named = await reads.read("packs_naming", hashes=list(names))
    return {row["document_hash"] for row in named} | await _kept_for_log(reads, names)


async def kept_for_others(store: Store, names: Sequence[str], handed_in: Collection[str] = ()) -> set[str]:
    """Return those of these documents whose bytes are stored for another purpose than as a source of that hash.

    Anyone can register the hash of a message, or of a remainder, without having its bytes: these are stored for the
    log, and their quotes may be confidential. Documents in `handed_in` were received as sources as well.
    """
    received = await _kept_for_log(store, names)
    return received.difference(handed_in) | await _more_strictly_named(store, names)


async def _kept_for_log(reads: Reads, names: Sequence[str]) -> set[str]:
    """Return those of these hashes that are of messages, or of the bytes that a redaction left."""
    rows = await reads.read("log_entries_by_document_hash", hashes=list(names))
    return {row["document_hash"] for row in rows} | await remainders_among(reads, names)


async def _more_strictly_named(store: Store, names: Sequence[str]) -> set[str]:
    """Return those of these documents that a pack of a stricter class than theirs names.

    Their bytes may be stored because of that pack alone: registering their hash as a source must not make them
    readable.
    """
    found = set()
    for row in await store.read("packs_naming", hashes=list(names)):
        own = boundary_of(row["boundary"])
        if any(boundary_of(stated) > own for stated in row["boundaries"]):
            found.add(row["document_hash"])
    return found
