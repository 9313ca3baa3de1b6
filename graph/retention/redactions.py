"""Redactions as the graph has them: each with its target, and the bytes that now stand for the original."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from a2ap.log.entry import LogEntry
from a2ap.messages.evidence import ByteRange
from a2ap.messages.redaction import Redaction
from a2ap.times import format_instant

Row = dict[str, Any]

# A passage that cites a source by its name alone may cite these bytes, and is treated as if it did.
PASSAGE_QUERIES = (
    "write_redacted_chunks",
    "write_redacted_search_passages",
    "write_redacted_vectors",
    "write_redacted_passages",
    "write_redacted_named_chunks",
    "write_redacted_named_passages",
)
"""The queries that erase the passages that a redaction takes away, in the order of their use."""
# The end of the longest document.
_END = 2**31


@dataclass(frozen=True, slots=True)
class RedactionRecord:
    """A redaction of `target`: the signed hash of a message, or the hash of a source.

    `document_hash` is that of the bytes as they were first received; `redacted_document_hash` that of the bytes that
    have stood for them since. A source without `byte_ranges` was erased as a whole.
    """

    redaction_id: str
    signed_hash: str
    target: str
    document_hash: str
    redacted_document_hash: str | None
    byte_ranges: tuple[ByteRange, ...]
    disclosure_digests: tuple[str, ...]
    agent_id: str
    redacted_at: datetime
    reason: str
    legal_basis: str | None
    log_index: int

    @property
    def of_source(self) -> bool:
        """Whether it redacts the bytes of a source, and not a message."""
        return self.target == self.document_hash

    @property
    def sentence(self) -> str:
        """A sentence with the agent, time and reason of the redaction."""
        return redaction_sentence(self.redaction_id, self.agent_id, self.redacted_at, self.reason)

    def covers(self, start: int, end: int) -> bool:
        """Return whether any of the bytes from `start` to before `end` are erased."""
        if not self.of_source:
            return False
        return not self.byte_ranges or any(one.start < end and start < one.end for one in self.byte_ranges)

    @classmethod
    def from_row(cls, row: Row) -> "RedactionRecord":
        """Return the redaction that a row of `redactions_of.cypher` describes."""
        ranges = zip(row["range_starts"], row["range_ends"], strict=True)
        return cls(
            redaction_id=row["redaction_id"],
            signed_hash=row["signed_hash"],
            target=row["target"],
            document_hash=row["document_hash"],
            redacted_document_hash=row["redacted_document_hash"],
            byte_ranges=tuple(ByteRange(start, end) for start, end in ranges),
            disclosure_digests=tuple(row["disclosure_digests"]),
            agent_id=row["agent_id"],
            redacted_at=row["redacted_at"],
            reason=row["reason"],
            legal_basis=row["legal_basis"],
            log_index=row["log_index"],
        )


class Reads(Protocol):
    """A store that runs named queries, as `graph.submission.state_loader.Reads`."""

    async def read(self, name: str, /, **parameters: Any) -> list[Row]:
        """Run a named query and return its rows."""


async def redactions_of(store: Reads, hashes: Collection[str]) -> dict[str, list[RedactionRecord]]:
    """Return the redactions of the documents with these hashes, by hash, in log order."""
    found: defaultdict[str, list[RedactionRecord]] = defaultdict(list)
    if hashes:
        for row in await store.read("redactions_of", hashes=sorted(set(hashes))):
            found[row["document_hash"]].append(RedactionRecord.from_row(row))
    return dict(found)


async def redactions_of_messages(store: Reads, hashes: Collection[str]) -> dict[str, list[RedactionRecord]]:
    """Return the redactions of the messages with these document hashes, by hash, in log order.

    Anyone may register the bytes of a message as a source: if that source is erased, the message is not.
    """
    found = await redactions_of(store, hashes)
    of_messages = {name: [one for one in records if not one.of_source] for name, records in found.items()}
    return {name: records for name, records in of_messages.items() if records}


async def standing_documents(store: Reads, hashes: Collection[str]) -> dict[str, str]:
    """Return the hash of the remainder that stands for each of these messages; unredacted ones are left out."""
    found = await redactions_of_messages(store, hashes)
    return {
        name: records[-1].redacted_document_hash
        for name, records in found.items()
        if records[-1].redacted_document_hash is not None
    }


async def remainders_among(store: Reads, hashes: Collection[str]) -> set[str]:
    """Return those of these hashes under which a redaction left bytes of a message or source."""
    rows = await store.read("redactions_into", hashes=sorted(set(hashes))) if hashes else []
    return {row["redacted_document_hash"] for row in rows}


def redaction_sentence(redaction_id: str, agent_id: str, redacted_at: datetime, reason: str) -> str:
    """Return a sentence with the agent, time and reason of a redaction."""
    return f"redacted by {agent_id} on {format_instant(redacted_at)}: {reason} ({redaction_id})"


def redaction_rows(message: Redaction, entry: LogEntry, document_hash: str) -> list[tuple[str, Row]]:
    """Return the rows of a redaction, each with the query that writes it; `document_hash` is of the first bytes."""
    target = message.target_hash or document_hash
    sentence = redaction_sentence(entry.id, entry.agent, message.envelope.time, message.reason)
    row = {
        "signed_hash": entry.signed_hash,
        "redaction_id": entry.id,
        "target": target,
        "document_hash": document_hash,
        "redacted_document_hash": message.redacted_document_hash,
        "range_starts": [byte_range.start for byte_range in message.byte_ranges],
        "range_ends": [byte_range.end for byte_range in message.byte_ranges],
        "disclosure_digests": list(message.disclosure_digests),
        "agent_id": entry.agent,
        "redacted_at": format_instant(message.envelope.time),
        "reason": message.reason,
        "legal_basis": message.legal_basis,
        "log_index": entry.log_index,
    }
    removed = _removals(target, document_hash, message.disclosure_digests, message.byte_ranges, sentence)
    return [("write_redactions", row), *removed]


def removal_rows(record: RedactionRecord) -> list[tuple[str, Row]]:
    """Return the rows that remove the content that a redaction removed, without the redaction itself."""
    return _removals(
        record.target, record.document_hash, record.disclosure_digests, record.byte_ranges, record.sentence
    )


def _removals(
    target: str, document_hash: str, digests: Sequence[str], byte_ranges: Sequence[ByteRange], sentence: str
) -> list[tuple[str, Row]]:
    source = {"document_hash": document_hash, "sentence": sentence, "erased": not byte_ranges}
    rows: list[tuple[str, Row]] = [("write_redacted_sources", source)]
    if target != document_hash:
        for digest in digests:
            rows.append(("write_redacted_quotes", {"signed_hash": target, "quote_digest": digest}))
        return rows
    for start, end in _spans(byte_ranges):
        passage = {"document_hash": document_hash, "start": start, "end": end, "sentence": sentence}
        rows += [(query, passage) for query in PASSAGE_QUERIES]
    return rows


def _spans(byte_ranges: Sequence[ByteRange]) -> list[tuple[int, int]]:
    return [(one.start, one.end) for one in byte_ranges] or [(0, _END)]
