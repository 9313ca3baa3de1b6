"""The plan of a batch: the expected state of the graph, and the parts that are written one after the other."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message
from graph.kinds.state import State
from graph.log.entry import Outcome
from graph.log.row_lists import Rows
from graph.requests.room import OpenRequests
from graph.retention.redactions import RedactionRecord
from graph.submission.call import Call, SetAsideError
from graph.submission.submission import Submission


@dataclass(slots=True)
class Part:
    """The rows that one transaction will write to a log of `size` entries, and the answer to each of its submissions.

    `not_held` names the cited sources that are not held; `blobs` are the bytes of records.
    """

    size: int
    outcomes: list[Outcome] = field(default_factory=list)
    accepted: list[tuple[Message, LogEntry]] = field(default_factory=list)
    rows: Rows = field(default_factory=Rows)
    not_held: set[str] = field(default_factory=set)
    blobs: list[bytes] = field(default_factory=list)

    @property
    def entries(self) -> list[LogEntry]:
        """The entries of the accepted messages, in order."""
        return [entry for _, entry in self.accepted]

    @property
    def contents(self) -> list[bytes]:
        """The bytes that are stored before the part is written."""
        return [*self.blobs, *(message.envelope.received for message, _ in self.accepted)]


@dataclass(slots=True)
class BatchPlan:
    """The state while a batch is planned; each part builds on the state that the parts before it will leave.

    `open_requests` counts the open requests of the requesting agents and of their peers; `erased` has the redactions of
    the bytes that come with records, by their hash. `stored` has the hashes that registrations prove possession of, and
    whose bytes are stored as a message, a remainder or content of a pack. `come` is the progress of each call in this
    plan.
    """

    state: State
    received_at: datetime
    open_requests: OpenRequests
    erased: Mapping[str, Sequence[RedactionRecord]]
    stored: Collection[str]
    come: dict[Call, int] = field(default_factory=dict)

    def has_come(self, submission: Submission) -> bool:
        """Return whether no document before a submission in its call waits."""
        call = submission.call
        return call is None or self.come.get(call, call.answered) >= submission.place

    def note(self, submission: Submission, outcome: Outcome) -> None:
        """Record the outcome of the next submission."""
        if submission.call is not None and not isinstance(outcome, SetAsideError):
            self.come[submission.call] = submission.place + 1
