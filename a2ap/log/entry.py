"""An entry of a log: the accepted message by its hashes, its agent and its time; its bytes are the leaf.

A leaf is public for ever, so it holds names and hashes only: nothing that access rules or redaction may touch, and
never the document itself. Its place in the log is not in it: the tree gives that.
"""

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from json.encoder import encode_basestring
from typing import Any

from a2ap.errors import LogFormatError, MessageError
from a2ap.fields import read_integer, read_text
from a2ap.json_text import read_json
from a2ap.times import format_instant, parse_instant

ENTRY_VERSION = 1
PROVEN_ENTRY_VERSION = 2
"""The version of the entry of a registration whose proof of possession was compared with its bytes."""

# tlog-tiles: an entry of a bundle is prefixed with its length in 16 bits.
MAX_ENTRY_BYTES = 65_535

# Messages that are accepted together are received at one time.
_instant = lru_cache(maxsize=64)(format_instant)

_MEMBERS = frozenset({"v", "origin", "type", "id", "documentHash", "signedHash", "agent", "key", "receivedAt"})
_OF_PEERS = frozenset({"originIndex", "originReceivedAt"})


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One accepted message at its place in the log (docs/reference/log.md); `log_index` counts from 0 without a gap.

    `origin` is the log in which the message was first accepted. If that is another log than the one in which the entry
    stands, `origin_index` is its place there, and `origin_received_at` the time at which that log received it.
    """

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
    origin_index: int | None = None
    origin_received_at: datetime | None = None

    @property
    def has_proof(self) -> bool:
        """Whether the log compared the `possessionMac` of a registration with bytes that came with it."""
        return self.v == PROVEN_ENTRY_VERSION

    @property
    def peer_origin(self) -> str | None:
        """Return the other log that the message came from, None if this one was the first."""
        return None if self.origin_index is None else self.origin

    @property
    def first_received_at(self) -> datetime:
        """Return the time of receipt at the log that first accepted the message, as far as this log states it."""
        return self.origin_received_at or self.received_at


def entry_bytes(entry: LogEntry) -> bytes:
    """Return the leaf of an entry: RFC 8785 bytes of its members; raises `ValueError` beyond 65,535 bytes."""
    text = encode_basestring
    place = "" if entry.origin_index is None else f'"originIndex":{entry.origin_index:d},'
    if entry.origin_received_at is not None:
        place += f'"originReceivedAt":"{_instant(entry.origin_received_at)}",'
    # The members in the order of RFC 8785; every entry of a log is written like this, so it must not take long.
    data = (
        f'{{"agent":{text(entry.agent)},"documentHash":{text(entry.document_hash)},"id":{text(entry.id)},'
        f'"key":{text(entry.key)},"origin":{text(entry.origin)},{place}"receivedAt":"{_instant(entry.received_at)}",'
        f'"signedHash":{text(entry.signed_hash)},"type":{text(entry.type)},"v":{entry.v:d}}}'
    ).encode()
    if len(data) > MAX_ENTRY_BYTES:
        raise ValueError(f"a log entry has {len(data)} bytes, more than {MAX_ENTRY_BYTES}")
    return data


def read_entry(data: bytes, log_index: int) -> LogEntry:
    """Read the leaf at `log_index`; raises `LogFormatError` for any bytes that `entry_bytes` would not write."""
    try:
        entry = _entry_of(read_json(data), log_index)
        written = entry_bytes(entry)
    except (MessageError, ValueError) as error:
        raise LogFormatError(f"entry {log_index} cannot be read: {error}") from error
    if written != data:
        raise LogFormatError(f"entry {log_index} is not in its canonical form")
    return entry


def _entry_of(members: dict[str, Any], log_index: int) -> LogEntry:
    if unknown := members.keys() - _MEMBERS - _OF_PEERS:
        raise LogFormatError(f"entry {log_index} has the unknown member {min(unknown)!r}")
    if "originReceivedAt" in members and "originIndex" not in members:
        raise LogFormatError(f"entry {log_index} has originReceivedAt without originIndex")
    if "originIndex" in members and members.get("v") == PROVEN_ENTRY_VERSION:
        raise LogFormatError(f"entry {log_index} is of a peer's log, and states a proof that was made to this one")
    return LogEntry(
        log_index=log_index,
        v=read_integer(members, "v", least=ENTRY_VERSION, most=PROVEN_ENTRY_VERSION),
        origin=read_text(members, "origin"),
        type=read_text(members, "type"),
        id=read_text(members, "id"),
        document_hash=read_text(members, "documentHash"),
        signed_hash=read_text(members, "signedHash"),
        agent=read_text(members, "agent"),
        key=read_text(members, "key"),
        received_at=parse_instant(members.get("receivedAt"), "receivedAt"),
        origin_index=read_integer(members, "originIndex") if "originIndex" in members else None,
        origin_received_at=(
            parse_instant(members["originReceivedAt"], "originReceivedAt") if "originReceivedAt" in members else None
        ),
    )
