"""Redactions: text that law takes away is erased, and the log records the agent, time and reason.

See docs/how-to/retraction.md.

A redaction of a message takes disclosures from it: `targetHash` is the message's signed hash, which stays the same, and
`redactedDocumentHash` that of the bytes without the disclosures. A redaction of a source takes bytes from it, all of
them or `byteRanges`; `redactedDocumentHash` is then that of the bytes in which these are blank.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import (
    check_distinct,
    read_agent_id,
    read_hash,
    read_list,
    read_optional_hash,
    read_optional_text,
    read_text,
    read_texts,
)
from a2ap.identifiers import hash_problem
from a2ap.json_text import read_json, write_json
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.evidence import ByteRange, read_byte_range
from a2ap.signing.disclosure import without_disclosures
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL


@dataclass(frozen=True, slots=True)
class Redaction:
    """The erased text: disclosures of the message `target_hash`, or bytes of the source `document_hash`.

    `byte_ranges` come in order and apart from each other; without any the whole source is erased.
    """

    envelope: Envelope
    target_hash: str | None
    disclosure_digests: tuple[str, ...]
    document_hash: str | None
    byte_ranges: tuple[ByteRange, ...]
    redacted_document_hash: str | None
    reason: str
    legal_basis: str | None

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "Redaction":
        """Read a redaction out of the JSON of `received`; raises `MessageError`."""
        envelope = read_envelope(
            message,
            received,
            type=MessageType.REDACTION,
            time_member="redactedAt",
            agent_id=read_agent_id(message, "redactingAgent"),
        )
        target_hash, digests = _read_target(message)
        return cls(
            envelope=envelope,
            target_hash=target_hash,
            disclosure_digests=digests,
            document_hash=read_optional_hash(message, "documentHash"),
            byte_ranges=_read_ranges(message) if "byteRanges" in message else (),
            redacted_document_hash=read_optional_hash(message, "redactedDocumentHash"),
            reason=read_text(message, "reason"),
            legal_basis=read_optional_text(message, "legalBasis"),
        )


def redacted_bytes(received: bytes, digests: Collection[str]) -> bytes:
    """Return the bytes of a message without these disclosures: compact JSON, members in order.

    Raises `DisclosureError` if one of them is not there.
    """
    return write_json(without_disclosures(read_json(received), digests))


def build_disclosure_redaction(
    *,
    redaction_id: str,
    redacted_at: datetime,
    redacting_agent: str,
    target_hash: str,
    disclosure_digests: Sequence[str],
    redacted_document_hash: str,
    reason: str,
    legal_basis: str | None = None,
) -> dict[str, Any]:
    """Return an unsigned redaction of disclosures, by their digests, of the message with this signed hash."""
    return {
        **_frame(redaction_id, redacted_at, redacting_agent),
        "targetHash": target_hash,
        "disclosureDigests": list(disclosure_digests),
        "redactedDocumentHash": redacted_document_hash,
        **_why(reason, legal_basis),
    }


def build_source_redaction(
    *,
    redaction_id: str,
    redacted_at: datetime,
    redacting_agent: str,
    document_hash: str,
    reason: str,
    byte_ranges: Sequence[ByteRange] = (),
    redacted_document_hash: str | None = None,
    legal_basis: str | None = None,
) -> dict[str, Any]:
    """Return an unsigned redaction of a source's bytes; `redacted_document_hash` is that of the remaining bytes."""
    ranges = [{"start": byte_range.start, "end": byte_range.end} for byte_range in byte_ranges]
    return {
        **_frame(redaction_id, redacted_at, redacting_agent),
        "documentHash": document_hash,
        **({"byteRanges": ranges} if ranges else {}),
        **({"redactedDocumentHash": redacted_document_hash} if redacted_document_hash is not None else {}),
        **_why(reason, legal_basis),
    }


def _frame(redaction_id: str, redacted_at: datetime, redacting_agent: str) -> dict[str, Any]:
    return {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.REDACTION.wire,
        "@id": redaction_id,
        "redactedAt": format_instant(redacted_at),
        "redactingAgent": redacting_agent,
    }


def _why(reason: str, legal_basis: str | None) -> dict[str, str]:
    return {"reason": reason} if legal_basis is None else {"reason": reason, "legalBasis": legal_basis}


def _read_target(message: Mapping[str, Any]) -> tuple[str | None, tuple[str, ...]]:
    """Read the message and digests that a redaction names, `(None, ())` if it is of a source; raises `FieldError`."""
    if "targetHash" in message and "documentHash" in message:
        raise FieldError("documentHash", "is there beside targetHash; a redaction is of a message or of a source")
    if "targetHash" not in message:
        if "documentHash" not in message:
            raise FieldError("targetHash", "is missing, and so is documentHash")
        if "disclosureDigests" in message:
            raise FieldError("disclosureDigests", "is there without targetHash")
        return None, ()
    if "byteRanges" in message:
        raise FieldError("byteRanges", "is there without documentHash")
    if "redactedDocumentHash" not in message:
        raise FieldError("redactedDocumentHash", "is missing")
    digests = read_texts(message, "disclosureDigests")
    if not digests:
        raise FieldError("disclosureDigests", "is empty")
    for index, digest in enumerate(digests):
        if problem := hash_problem(digest):
            raise FieldError(f"disclosureDigests[{index}]", problem)
    check_distinct(digests, "disclosureDigests")
    return read_hash(message, "targetHash"), digests


def _read_ranges(message: Mapping[str, Any]) -> tuple[ByteRange, ...]:
    ranges: list[ByteRange] = []
    for index, value in enumerate(read_list(message, "byteRanges")):
        path = f"byteRanges[{index}]"
        if type(value) is not dict:
            raise FieldError(path, "is not an object with start and end")
        byte_range = read_byte_range(value, path)
        if ranges and byte_range.start < ranges[-1].end:
            raise FieldError(path, f"begins at {byte_range.start}, before the end of the range before it")
        ranges.append(byte_range)
    if not ranges:
        raise FieldError("byteRanges", "is empty")
    return tuple(ranges)
