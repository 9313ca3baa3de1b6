"""The remainder of a redacted source: the hash under which it is kept, and the passages that can still be compared.

The node made the remainder out of the source and named it in the redaction, so that a passage outside every redaction
is the passage that was cited.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from a2ap.messages.evidence import ByteRange
from graph.retention.redactions import RedactionRecord


@dataclass(frozen=True, slots=True)
class Remainder:
    """The hash of a source's remainder, and the byte ranges that are blank in it."""

    name: str
    erased: tuple[ByteRange, ...]

    def has(self, byte_range: ByteRange) -> bool:
        """Return whether these bytes of the source are unchanged."""
        return not any(one.start < byte_range.end and byte_range.start < one.end for one in self.erased)


def remainders_of(redactions: Mapping[str, Sequence[RedactionRecord]]) -> dict[str, Remainder]:
    """Return the remainder of each source that was redacted in part, by the source's hash, as `redactions` are."""
    found = {}
    for name, records in redactions.items():
        left = records[-1].redacted_document_hash if records else None
        if left is not None and records[-1].of_source:
            found[name] = Remainder(left, tuple(one for record in records for one in record.byte_ranges))
    return found
