"""Received messages by the hash of their bytes, for auditors and peers: whole, or not at all with the reason.

A message that may not be shown whole is withheld: a part of it would not have its hash. A message whose stored bytes
are missing or wrong is given with neither bytes nor reason, which no auditor accepts.
"""

import asyncio
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass

from a2ap.boundary import Boundary
from a2ap.log.entry import LogEntry
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.source_registration import SourceRegistration
from graph.content.content_store import ContentStore
from graph.errors import ContentMismatchError, ContentNotFoundError
from graph.export.documents import StoredMessage
from graph.export.redaction import is_whole
from graph.log.entry import entry_from_row
from graph.retention.redactions import RedactionRecord, redactions_of_messages
from graph.store import Store
from graph.withholding import Withheld, Withholding

MAX_HASHES = 256
"""The most messages of one request."""

MAY_BE_WITHHELD = frozenset(
    {
        MessageType.STATEMENT.value,
        MessageType.VERIFICATION_RESPONSE.value,
        MessageType.VERIFICATION_DECLINE.value,
        MessageType.CHALLENGE_ANSWER.value,
        MessageType.GOLD_LABEL.value,
        MessageType.GOLD_DISPUTE.value,
        MessageType.RETRACTION.value,
        MessageType.SOURCE_REGISTRATION.value,
    }
)
"""The types of message that may hold words of a source, or describe one, and are withheld with it."""

_AT_ONCE = 16  # messages in memory


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message as a reader gets it: its bytes, or the reason why not. Without an entry, the log has no such message.

    A redacted message has the `redaction`; its remainder is another document, which can be requested by its hash.
    `quotes_erased` is set if the message is withheld from every reader, because it quotes erased passages.
    """

    document_hash: str
    entry: LogEntry | None = None
    content: bytes | None = None
    withheld: str | None = None
    redaction: RedactionRecord | None = None
    quotes_erased: bool = False


async def messages_by_hash(
    store: Store, content: ContentStore, hashes: Sequence[str], clearance: Boundary
) -> list[FoundMessage]:
    """Return each of these messages as a reader with this clearance gets it, in order, in few queries."""
    return [found async for found in stream_messages(store, content, hashes, clearance)]


async def stream_messages(
    store: Store, content: ContentStore, hashes: Sequence[str], clearance: Boundary
) -> AsyncIterator[FoundMessage]:
    """Yield the same, some at a time: a message has up to a mebibyte, and many of them do not fit in memory."""
    into = await store.read("redactions_into", hashes=sorted(set(hashes)))
    of_messages = [row for row in into if row["target"] != row["document_hash"]]
    originals = {row["redacted_document_hash"]: row["document_hash"] for row in of_messages}
    asked = sorted({*hashes, *originals.values()})
    rows = await store.read("log_entries_of_documents", hashes=asked)
    entries = {row["document_hash"]: entry_from_row(row) for row in rows}
    redactions = await redactions_of_messages(store, [name for name in asked if name in entries])
    for remainder, original in originals.items():
        # Only bytes that stand now are given, and of messages, not of sources.
        if original in entries and redactions[original][-1].redacted_document_hash == remainder:
            entries.setdefault(remainder, entries[original])
    about = await _statements_about(store, entries.values())
    sources = await _sources_registered(content, entries.values())
    withholding = Withholding(store, clearance)
    withheld = {
        **await withholding.of_statements(set(about.values())),
        **await withholding.of_sources(set(sources.values())),
    }
    about |= sources

    async def find(name: str) -> FoundMessage:
        entry = entries.get(name)
        if entry is None:
            return FoundMessage(name)
        if name in redactions:
            return FoundMessage(name, entry, redaction=redactions[name][-1])
        return await _find(content, name, entry, withheld.get(about.get(entry.signed_hash, "")))

    for start in range(0, len(hashes), _AT_ONCE):
        for found in await asyncio.gather(*map(find, hashes[start : start + _AT_ONCE])):
            yield found


async def _find(content: ContentStore, name: str, entry: LogEntry, withheld: Withheld | None) -> FoundMessage:
    try:
        received = await content.get(name)
    except (ContentNotFoundError, ContentMismatchError):
        return FoundMessage(name, entry)
    if withheld is not None and not is_whole(StoredMessage(entry, read_message(received), withheld)):
        return FoundMessage(name, entry, withheld=withheld.reason, quotes_erased=withheld.is_erased)
    return FoundMessage(name, entry, received)


async def _sources_registered(content: ContentStore, entries: Collection[LogEntry]) -> dict[str, str]:
    """Return the hash of the source that each registration describes, by its own signed hash."""
    registrations = [entry for entry in entries if entry.type == MessageType.SOURCE_REGISTRATION]
    found: dict[str, str] = {}
    for start in range(0, len(registrations), _AT_ONCE):
        page = registrations[start : start + _AT_ONCE]
        names = await asyncio.gather(*(_source_registered(content, entry) for entry in page))
        found |= {entry.signed_hash: name for entry, name in zip(page, names, strict=True) if name is not None}
    return found


async def _source_registered(content: ContentStore, entry: LogEntry) -> str | None:
    try:
        message = read_message(await content.get(entry.document_hash))
    except (ContentNotFoundError, ContentMismatchError):
        return None
    return message.document_hash if isinstance(message, SourceRegistration) else None


async def _statements_about(store: Store, entries: Collection[LogEntry]) -> dict[str, str]:
    """Return the signed hash of the statement that each message is about, by the message's own signed hash."""

    def of(kind: MessageType) -> list[str]:
        return [entry.signed_hash for entry in entries if entry.type == kind]

    about = {name: name for name in of(MessageType.STATEMENT)}
    if verdicts := of(MessageType.VERIFICATION_RESPONSE):
        about |= {row["verification"]: row["statement"] for row in await store.read("targets_of", hashes=verdicts)}
    if replies := of(MessageType.VERIFICATION_DECLINE) + of(MessageType.CHALLENGE_ANSWER):
        about |= {row["reply"]: row["statement"] for row in await store.read("targets_of_replies", hashes=replies)}
    if gold := of(MessageType.GOLD_LABEL) + of(MessageType.GOLD_DISPUTE):
        about |= {row["gold"]: row["statement"] for row in await store.read("targets_of_gold", hashes=gold)}
    if taken := of(MessageType.RETRACTION):
        rows = await store.read("targets_of_retractions", hashes=taken)
        about |= {row["retraction"]: row["statement"] for row in rows}
    return about
