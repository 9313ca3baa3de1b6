"""Entries and receipts of the node's log: made from an accepted message, written to rows and read from them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from a2ap.log.entry import ENTRY_VERSION, PROVEN_ENTRY_VERSION, LogEntry
from a2ap.messages.message import Message
from a2ap.times import format_instant
from graph.errors import NotFoundError
from graph.store import Reads, Row


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to an accepted message: its entry, and whether this submission made it or an earlier one."""

    entry: LogEntry
    created: bool

    def repeated(self) -> "Receipt":
        """Return the receipt for a later, identical submission."""
        return replace(self, created=False)


Outcome = Receipt | Exception
"""The outcome of a submission: its receipt, or the error."""


def entry_of(
    message: Message,
    *,
    log_index: int,
    origin: str,
    received_at: datetime,
    origin_index: int | None = None,
    origin_received_at: datetime | None = None,
    has_proof: bool = False,
) -> LogEntry:
    """Return the entry for a message accepted at `log_index`.

    `origin_index` and `origin_received_at` are for a message of a peer's log, `has_proof` for a registration whose
    proof of possession was compared with its bytes.
    """
    envelope = message.envelope
    return LogEntry(
        log_index=log_index,
        v=PROVEN_ENTRY_VERSION if has_proof else ENTRY_VERSION,
        origin=origin,
        type=envelope.type.value,
        id=envelope.id,
        document_hash=envelope.document_hash,
        signed_hash=envelope.signed_hash,
        agent=envelope.agent_id,
        key=envelope.signature.public_key if envelope.signature else "",
        received_at=received_at,
        origin_index=origin_index,
        origin_received_at=origin_received_at,
    )


def as_row(entry: LogEntry) -> dict[str, Any]:
    """Return the parameters of `append_log_entries.cypher`; times as RFC 3339 text."""
    row: dict[str, Any] = {name: getattr(entry, name) for name in LogEntry.__slots__}
    row["received_at"] = format_instant(entry.received_at)
    if entry.origin_index is None:
        del row["origin_index"]
    if entry.origin_received_at is None:
        del row["origin_received_at"]
    else:
        row["origin_received_at"] = format_instant(entry.origin_received_at)
    return row


def entry_from_row(row: dict[str, Any]) -> LogEntry:
    """Return the entry stored in a row of the graph."""
    return LogEntry(**{name: row[name] for name in LogEntry.__slots__ if name in row})


async def log_size(store: Reads) -> int:
    """Return the number of entries in the log; raises NotFoundError if no platform has begun one."""
    return size_of(await store.read("log_size"))


def size_of(rows: Sequence[Row]) -> int:
    """Return the number of entries in these rows of `log_size.cypher`; raises NotFoundError without a row."""
    for row in rows:
        return int(row["size"])
    raise NotFoundError("this graph has no log yet: a platform that is started on it begins one")
