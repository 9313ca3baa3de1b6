"""Rebuilds the graph and its scores from log entries and stored bytes (docs/explanation/architecture.md).

Admission is not checked again: every message in the log was accepted. Only the stored bytes are checked against their
entry. The machine's findings are in the log as the node's own signed verdicts, so they come back unchanged.
"""

import json
from collections.abc import AsyncGenerator, Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message, MessageType, read_message
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.source_registration import SourceRegistration
from a2ap.times import parse_instant
from graph.content.content_store import ContentStore
from graph.errors import ContentNotFoundError, LogMismatchError, RebuildError
from graph.evidence.chunk_texts import fill_chunk_texts, fill_texts, mark_held
from graph.evidence.reader import EvidenceReader
from graph.kinds.recording import record_message
from graph.kinds.rows import add_rows
from graph.kinds.state import State
from graph.log.entry import entry_from_row, entry_of, log_size
from graph.log.imported import as_named_here, place_revocation
from graph.log.row_lists import Rows
from graph.requests.closing import follow_requests
from graph.requests.resettling import finish_resettling
from graph.retention.named_content import kept_for_others
from graph.retention.redactions import RedactionRecord, redactions_of
from graph.scores.recomputation import finish_rescoring
from graph.scores.updates import changes_everything, rescore
from graph.store import Store, Transaction
from graph.submission.parts import ALONE
from graph.submission.row_writer import write_entries
from graph.submission.state_loader import load_state
from graph.transparency.key_history import KeyHistory

BATCH = 500

# The parts of an epoch follow each other, each by itself.
_ALONE = frozenset(kind.value for kind in (*ALONE, MessageType.EPOCH))

Admit = Callable[[Message, LogEntry, State], bool]

# The signed hash first: if the bytes are others, the rest differs because of it.
_OF_THE_BYTES = ("signed_hash", "type", "id", "agent", "key", "document_hash", "v")


async def rebuild(
    store: Store,
    content: ContentStore,
    entries: Iterable[LogEntry],
    *,
    without: Container[int] = (),
    stops: Container[int] = (),
    admit: Admit | None = None,
    redacted: Mapping[str, str] = MappingProxyType({}),
    handed_in: Collection[str] = (),
) -> AsyncGenerator[int, None]:
    """Write the graph that these entries make into an empty store; yield the log size after each batch.

    A batch ends at each of the sizes `stops`. Of the entries `without`, by log index, and of those that `admit`
    refuses, only the log entry is written. `redacted` names the bytes that replace a message, by its signed hash
    (`graph.retention.standing.redacted_messages`). Raises `RebuildError`, naming the entry, if the store is not empty,
    an index is missing or the bytes do not match the entry. Records are read again, and sources held again, if their
    bytes are stored. Bytes of the log itself make a source held only if they are among `handed_in`, the hashes of
    documents of the log that were submitted as sources as well.
    """
    await store.write(lambda transaction: transaction.run("open_log"))
    size = await log_size(store)
    if size:
        raise RebuildError(f"the graph already has {size} log entries; rebuild needs an empty one")
    writer: BatchWriter | None = None
    for batch in batches_of(entries, stops):
        if batch[0].log_index != size:
            raise RebuildError(f"entry {size} is missing; entry {batch[0].log_index} follows")
        writer = writer or BatchWriter(store, content, KeyHistory(batch[0].agent), redacted, without, admit)
        await writer.write(batch)
        size = batch[-1].log_index + 1
        yield size
    await find_sources(store, content, store, handed_in)


@dataclass(frozen=True, slots=True)
class BatchWriter:
    """Writes batches of entries one after the other; `keys` are those of the log so far."""

    store: Store
    content: ContentStore
    keys: KeyHistory
    redacted: Mapping[str, str]
    without: Container[int] = ()
    admit: Admit | None = None

    async def write(self, batch: Sequence[LogEntry]) -> None:
        """Write the rows of these entries in one transaction, and bring scores and requests up to date."""
        rows, accepted = await self._plan(batch)

        async def work(transaction: Transaction) -> None:
            await write_entries(transaction, rows, batch)
            await rescore(transaction, accepted, self.keys.origin)
            await follow_requests(transaction, accepted, self.keys.origin)

        await self.store.write(work)
        if any(changes_everything(message) for message, _ in accepted):
            await finish_rescoring(self.store)
            await finish_resettling(self.store)

    async def _plan(self, batch: Sequence[LogEntry]) -> tuple[Rows, list[tuple[Message, LogEntry]]]:
        """Return the rows of a batch, and the messages that they come from."""
        found = [(await self._message(one), one) for one in batch if one.log_index not in self.without]
        state = await load_state(self.store, [message for message, _ in found])
        state.node_agent = self.keys.origin
        rows, accepted = Rows(), list[tuple[Message, LogEntry]]()
        for message, entry in found:
            state.place, state.log_keys = entry.log_index, self.keys.keys
            if entry.origin_index is not None:
                message = await place_revocation(message, entry.origin, self.store, [one for _, one in accepted])
            if self.admit is not None and not self.admit(message, entry, state):
                continue
            # A key that it may not name is refused by `admit`, and by the log when it is opened.
            with suppress(LogMismatchError):
                self.keys.take(entry, message)
            record_message(message, state, has_proof=entry.has_proof)
            add_rows(rows, message, entry, state, record=await _stored_record(self.content, message, entry))
            accepted.append((message, entry))
        return rows, accepted

    async def _message(self, entry: LogEntry) -> Message:
        remainder = self.redacted.get(entry.signed_hash)
        received = await self.content.get(remainder or entry.document_hash)
        return message_of(entry, received, self.keys.origin, redacted=remainder is not None)


def read_entries(lines: Iterable[str]) -> Iterator[LogEntry]:
    """Yield the entries of a log exported as NDJSON, one entry per line."""
    for number, line in enumerate(lines, start=1):
        try:
            row: dict[str, Any] = json.loads(line)
            for name in ("received_at", "origin_received_at"):
                if name in row:
                    row[name] = parse_instant(row[name])
            yield entry_from_row(row)
        except (ValueError, KeyError, TypeError) as error:
            raise RebuildError(f"line {number} is not a log entry: {error}") from error


def batches_of(entries: Iterable[LogEntry], stops: Container[int]) -> Iterator[list[LogEntry]]:
    """Cut the entries into batches of consecutive indices; a message of a type in `_ALONE` is a batch by itself."""
    batch: list[LogEntry] = []
    for entry in entries:
        gap = bool(batch) and entry.log_index != batch[-1].log_index + 1
        full = len(batch) == BATCH or entry.log_index in stops
        if batch and (gap or full or not _ALONE.isdisjoint((entry.type, batch[-1].type))):
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch


async def _stored_record(content: ContentStore, message: Message, entry: LogEntry) -> bytes | None:
    """Return the bytes of a record that came with its registration, None if they were erased or never stored."""
    if not isinstance(message, RecordRegistration) or entry.origin_index is not None:
        return None
    try:
        return await content.get(message.document_hash)
    except ContentNotFoundError:
        return None


def message_of(entry: LogEntry, received: bytes, home: str | None = None, *, redacted: bool = False) -> Message:
    """Return the message of an entry from its received bytes, with the names of a peer's agents scoped by its log.

    `home` is the node whose log it is; a `redacted` message has other bytes, under the same signed hash. Raises
    `MessageError` for bytes that are no message, and `RebuildError` if the entry does not match them.
    """
    message = as_named_here(read_message(received), entry, home)
    made = entry_of(
        message,
        log_index=entry.log_index,
        origin=entry.origin,
        received_at=entry.received_at,
        has_proof=entry.has_proof,
    )
    for name in _OF_THE_BYTES:
        stated, found = getattr(entry, name), getattr(made, name)
        if stated != found and not (redacted and name == "document_hash"):
            raise RebuildError(f"entry {entry.log_index} has the {name} {stated!r}, its stored bytes have {found!r}")
    if entry.has_proof:
        mac = message.possession_mac if isinstance(message, SourceRegistration | RecordRegistration) else None
        if mac is None:
            raise RebuildError(
                f"entry {entry.log_index} has the v {entry.v}, its stored bytes have no proof of possession"
            )
    return message


async def find_sources(store: Store, content: ContentStore, live: Store, handed_in: Collection[str] = ()) -> None:
    """Record which sources are held, and give the chunks their texts.

    `live` is a graph of this log, as long or longer: it tells which sources were erased, and which bytes are stored for
    the log alone. `handed_in` as in `rebuild`.
    """
    reader = EvidenceReader(content)
    registered = [row["document_hash"] for row in await store.read("registered_documents")]
    for start in range(0, len(registered), BATCH):
        names = registered[start : start + BATCH]
        kept = await kept_for_others(live, names, handed_in)
        erased = await redactions_of(live, names)
        for name in names:
            if name in erased:
                await _fill_remainder(store, content, erased[name])
            elif name in kept or not await reader.intact(name):
                continue
            else:
                await mark_held(store, name, await content.size(name))
                await fill_chunk_texts(store, content, name)


async def _fill_remainder(store: Store, content: ContentStore, redactions: Sequence[RedactionRecord]) -> None:
    """Give the chunks of a redacted source the texts that they had before, or got from the remainder when cited.

    A chunk that a redaction covers has no text, whether it was cited before the redaction or after it.
    """
    document_hash, remainder = redactions[-1].document_hash, redactions[-1].redacted_document_hash
    if remainder is not None and redactions[-1].of_source and await content.has(remainder):
        chunks = await store.read("chunks_of_document", document_hash=document_hash)
        left = [one for one in chunks if not any(r.covers(one["byte_start"], one["byte_end"]) for r in redactions)]
        await fill_texts(store, content, remainder, left)
