"""Traceability of claims to the source: every quotation compared with the bytes of the original file."""

from collections.abc import Iterable
from dataclasses import dataclass

from a2ap.canonical import sha256_digest
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement


@dataclass(frozen=True, slots=True)
class Traceability:
    """The number of claims, of those with evidence, and of those whose quotations all equal the cited bytes."""

    claims: int
    with_evidence: int
    bytes_match: int

    def as_json(self) -> dict[str, int]:
        """Return the counts as `a2ap demo --json` prints them."""
        return {"claims": self.claims, "withEvidence": self.with_evidence, "bytesMatch": self.bytes_match}


def trace(statements: Iterable[bytes], data: bytes) -> Traceability:
    """Count over statements as the platform serves them; `data` is the file that they should cite."""
    document_hash = sha256_digest(data)
    read = [message for message in map(read_message, statements) if isinstance(message, ProvenanceStatement)]
    matching = [statement for statement in read if _matches(statement, data, document_hash)]
    return Traceability(len(read), sum(bool(statement.evidence) for statement in read), len(matching))


def _matches(statement: ProvenanceStatement, data: bytes, document_hash: str) -> bool:
    return bool(statement.evidence) and all(
        segment.document_hash == document_hash
        and segment.quote_text is not None
        and data[segment.byte_range.start : segment.byte_range.end] == segment.quote_text.encode()
        for segment in statement.evidence
    )
