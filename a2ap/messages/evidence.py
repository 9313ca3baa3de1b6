"""Evidence: the bytes of a source document that a claim rests on (A2AP §2.1).

A byte range is half open and counts bytes of the document as it is. `documentHash` names the whole document
and `contentHash` the cited bytes; without them nobody can check the evidence. A quote is optional (§6.2). In a paged
document `page` counts from 1, as `#page=` does (RFC 8118 §3); this member is ours, not of A2AP v0.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import (
    check_type,
    member_path,
    read_id,
    read_integer,
    read_object,
    read_optional_hash,
    read_optional_share,
    read_text,
)
from a2ap.identifiers import generate_chunk_id
from a2ap.signing.disclosure import Disclosure, Redactable, resolve
from a2ap.times import format_cue_end, format_cue_start, parse_cue_time

SEGMENT_TYPE = "a2ap:EvidenceSegment"
MAX_OFFSET = 2**31 - 1


@dataclass(frozen=True, slots=True)
class ByteRange:
    """Bytes `start` to `end` of a document, half open, 0 ≤ start < end < 2³¹."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CueRange:
    """The time at which the cited words are said: `start` and `end` as on the wire, and exactly, in milliseconds."""

    start: str
    end: str
    start_ms: int
    end_ms: int


@dataclass(frozen=True, slots=True)
class EvidenceSegment:
    """One cited stretch of a document; `relevance_score` is from 0 to 1, `page` counts from 1."""

    source_document: str
    document_hash: str | None
    chunk_id: str
    content_hash: str | None
    byte_range: ByteRange
    timestamp: CueRange | None
    quote: Redactable | None
    relevance_score: float | None
    page: int | None = None

    @property
    def quote_text(self) -> str | None:
        """Return the quote, None if there is none or it has been taken away."""
        return self.quote.text if self.quote is not None else None


def build_segment(
    source_document: str,
    start: int,
    end: int,
    *,
    document_hash: str | None = None,
    content_hash: str | None = None,
    chunk_id: str | None = None,
    quote: str | Disclosure | None = None,
    start_ms: int | None = None,
    end_ms: int | None = None,
    relevance_score: float | None = None,
    page: int | None = None,
) -> dict[str, Any]:
    """Return an evidence segment as it stands in a message (A2AP §2.1).

    `start` and `end` are bytes, half open; `chunk_id` is derived (Appendix A) unless it is given. Cue times
    are milliseconds, both or none; on the wire the start is floored and the end ceiled to seconds, and the
    exact values stand beside them.
    """
    segment: dict[str, Any] = {"@type": SEGMENT_TYPE, "sourceDocument": source_document}
    if document_hash is not None:
        segment["documentHash"] = document_hash
    segment["chunkId"] = chunk_id if chunk_id is not None else generate_chunk_id(source_document, start)
    if content_hash is not None:
        segment["contentHash"] = content_hash
    segment["byteRange"] = {"start": start, "end": end}
    if (start_ms is None) != (end_ms is None):
        raise ValueError("a cue has a start and an end, or neither")
    if start_ms is not None and end_ms is not None:
        segment["timestamp"] = {
            "start": format_cue_start(start_ms),
            "end": format_cue_end(end_ms),
            "startMilliseconds": start_ms,
            "endMilliseconds": end_ms,
        }
    if quote is not None:
        segment["quoteText"] = quote.reference if isinstance(quote, Disclosure) else quote
    if relevance_score is not None:
        segment["relevanceScore"] = relevance_score
    if page is not None:
        segment["page"] = page
    return segment


def read_segment(value: Any, path: str, disclosures: Mapping[str, str]) -> EvidenceSegment:
    """Read one member of `evidence`; raises `FieldError` naming the place."""
    if type(value) is not dict:
        raise FieldError(path, "is not an object")
    check_type(value, SEGMENT_TYPE, path)
    return EvidenceSegment(
        source_document=read_id(value, "sourceDocument", path),
        document_hash=read_optional_hash(value, "documentHash", path),
        chunk_id=read_id(value, "chunkId", path),
        content_hash=read_optional_hash(value, "contentHash", path),
        byte_range=read_byte_range(read_object(value, "byteRange", path), member_path(path, "byteRange")),
        timestamp=_read_cue_range(value, path) if "timestamp" in value else None,
        quote=resolve(value["quoteText"], disclosures, f"{path}.quoteText") if "quoteText" in value else None,
        relevance_score=read_optional_share(value, "relevanceScore", path),
        page=read_integer(value, "page", path, least=1, most=MAX_OFFSET) if "page" in value else None,
    )


def read_byte_range(byte_range: Mapping[str, Any], path: str) -> ByteRange:
    """Read `start` and `end` of a byte range; raises `FieldError`."""
    start = read_integer(byte_range, "start", path, most=MAX_OFFSET)
    end = read_integer(byte_range, "end", path, most=MAX_OFFSET)
    if start >= end:
        raise FieldError(path, f"is {start} to {end}; the end must come after the start")
    return ByteRange(start, end)


def _read_cue_range(segment: Mapping[str, Any], path: str) -> CueRange:
    cue = read_object(segment, "timestamp", path)
    path = member_path(path, "timestamp")
    start, start_ms = _read_cue_time(cue, "start", "startMilliseconds", path, rounding=0)
    end, end_ms = _read_cue_time(cue, "end", "endMilliseconds", path, rounding=999)
    if start_ms > end_ms:
        raise FieldError(path, f"is {start} to {end}; the end must not come before the start")
    return CueRange(start, end, start_ms, end_ms)


def _read_cue_time(cue: Mapping[str, Any], name: str, exact_name: str, path: str, *, rounding: int) -> tuple[str, int]:
    """Return a cue time as written, and in milliseconds, which must round to the written time (0 down, 999 up)."""
    text = read_text(cue, name, path)
    milliseconds = parse_cue_time(text, member_path(path, name))
    if exact_name not in cue:
        return text, milliseconds
    exact = read_integer(cue, exact_name, path, most=MAX_OFFSET)
    if milliseconds not in (exact, (exact + rounding) // 1000 * 1000):
        raise FieldError(member_path(path, exact_name), f"is {exact}, which is not {text}")
    return text, exact
