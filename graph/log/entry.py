"""An entry of the node's log: what was accepted, when and where, never the document itself."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from a2ap.message import Message
from a2ap.times import format_instant

ENTRY_VERSION = 1


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One accepted message at its place in the log (design §7); `log_index` counts from 0 without a gap."""

    log_index: int
    v: int
    origin: str
    type: str
    id: str
    document_hash: str
    signed_hash: str
    agent: str
    key: str
    received_at: datetime

    def as_row(self) -> dict[str, Any]:
        """Return the parameters of `append_log_entries.cypher`; the time as RFC 3339 text."""
        row = {name: getattr(self, name) for name in self.__slots__}
        row["received_at"] = format_instant(self.received_at)
        return row


@dataclass(frozen=True, slots=True)
class Receipt:
    """The answer to an accepted message: its entry, and whether this submission made it or an earlier one."""

    entry: LogEntry
    created: bool

    def repeated(self) -> "Receipt":
        """Return the receipt as a later, identical submission gets it."""
        return replace(self, created=False)


def entry_of(message: Message, *, log_index: int, origin: str, received_at: datetime) -> LogEntry:
    """Return the entry for a message accepted at `log_index`."""
    envelope = message.envelope
    return LogEntry(
        log_index=log_index,
        v=ENTRY_VERSION,
        origin=origin,
        type=envelope.type.value,
        id=envelope.id,
        document_hash=envelope.document_hash,
        signed_hash=envelope.signed_hash,
        agent=envelope.agent_id,
        key=envelope.signature.public_key if envelope.signature else "",
        received_at=received_at,
    )


def entry_from_row(row: dict[str, Any]) -> LogEntry:
    """Return the entry that a row of the graph holds."""
    return LogEntry(**{name: row[name] for name in LogEntry.__slots__})
