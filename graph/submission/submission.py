"""A message that is to be appended, with its sender's clearance and the bytes that came with it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from a2ap.boundary import STRICTEST, Boundary
from a2ap.messages.message import Message
from a2ap.messages.statement import ProvenanceStatement
from graph.evidence.machine import CHUNK_TEXT_LIMIT
from graph.evidence.source_text import SourceText
from graph.log.entry import Outcome
from graph.quotas.charge import FREE, Charge
from graph.submission.call import Call, SetAsideError

# The graph keeps, and indexes, the text of the chunks that a statement cites: up to this number of bytes.
MAX_CITED_TEXT = 1024 * 1024

# Approximate number of bytes that the rows of one evidence segment add to a transaction.
_SEGMENT_WEIGHT = 4096


@dataclass(frozen=True, slots=True)
class Submission:
    """A message to be appended; `countersigned` as in `graph.kinds.kind.Terms`.

    Evidence from a source above the submitter's `clearance` is not compared: the answer would reveal the source's
    content. A message from a peer's log has its `origin`, its index there and the time of its receipt there, and names
    scoped by the log (`a2ap.messages.scoping`). The registration of a record comes with its bytes, and those that it
    names, in `blobs`; `possession_mac` is that of the bytes that came with the registration of a source. A message of a
    `call` has a `place` there, and is set aside until its sources are `read`, if that takes long
    (`graph.submission.call`); without a call they are read when it is planned. Its `charge` was counted for its
    sender's quotas.
    """

    message: Message
    countersigned: bool = False
    clearance: Boundary = STRICTEST
    origin: str | None = None
    origin_index: int | None = None
    origin_received_at: datetime | None = None
    blobs: tuple[bytes, ...] = ()
    possession_mac: str | None = None
    call: Call | None = field(default=None, compare=False)
    place: int = field(default=0, compare=False)
    read: Mapping[str, SourceText] | None = field(default=None, compare=False, repr=False)
    charge: Charge = field(default=FREE, compare=False)

    def note(self, outcome: Outcome) -> None:
        """Record its outcome in its call, once that is certain."""
        if self.call is not None and not isinstance(outcome, SetAsideError):
            self.call.note(self.place)

    @property
    def weight(self) -> int:
        """The approximate number of bytes that it adds to a transaction: its own, and the texts of its cited chunks."""
        weight = len(self.message.envelope.received) + sum(map(len, self.blobs))
        if isinstance(self.message, ProvenanceStatement):
            weight += cited_text(self.message) + _SEGMENT_WEIGHT * len(self.message.evidence)
        return weight


def cited_text(statement: ProvenanceStatement) -> int:
    """Return the number of bytes of text that the chunks cited by a statement have."""
    lengths = (segment.byte_range.end - segment.byte_range.start for segment in statement.evidence)
    return sum(length for length in lengths if length <= CHUNK_TEXT_LIMIT)
