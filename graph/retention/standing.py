"""Reads documents in their present form: the received bytes, or the remainders of redactions."""

import asyncio
from collections.abc import Iterable, Sequence

from a2ap.log.entry import LogEntry
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.redaction import Redaction
from graph.content.content_store import ContentStore
from graph.retention.redactions import Reads, standing_documents


async def read_standing(store: Reads, content: ContentStore, hashes: Sequence[str]) -> list[bytes]:
    """Return the bytes of these messages, in order: as received, or as redactions have left them. Raises ContentError.

    The graph is read first: bytes that are to be erased may still be stored.
    """
    standing = await standing_documents(store, hashes)
    return list(await asyncio.gather(*(content.get(standing.get(name, name)) for name in hashes)))


async def redacted_messages(content: ContentStore, entries: Iterable[LogEntry]) -> dict[str, str]:
    """Return the hash under which each redacted message of a log is kept now, by signed hash, from the log alone."""
    found: dict[str, str] = {}
    for entry in entries:
        if entry.type == MessageType.REDACTION and entry.origin_index is None:
            message = read_message(await content.get(entry.document_hash))
            if isinstance(message, Redaction) and message.target_hash and message.redacted_document_hash:
                found[message.target_hash] = message.redacted_document_hash
    return found
