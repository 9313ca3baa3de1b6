"""Splits a batch into runs that are appended together, and runs into parts that are written in a transaction each."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from a2ap.messages.epoch import Epoch
from a2ap.messages.message import MessageType
from graph.submission.submission import Submission

ALONE = frozenset(
    {
        MessageType.POLICY,
        MessageType.ADMISSION_POLICY,
        MessageType.KEY_REVOCATION,
        MessageType.LOG_KEY_ROTATION,
        MessageType.REDACTION,
        MessageType.RETRACTION,
    }
)
"""A message that follows one of these in a batch is checked against the changed state."""

# Submissions that are written together: fewer have less to wait for before the first is written and after the last is
# planned, more cost fewer transactions.
MAX_PART = 250


def runs_of(submissions: Sequence[Submission]) -> Iterator[Sequence[Submission]]:
    """Yield the submissions in order, those of `ALONE` each alone, and the parts of epochs by themselves."""
    start = 0
    for place in range(1, len(submissions) + 1):
        if place < len(submissions):
            one, following = submissions[place - 1].message, submissions[place].message
            together = isinstance(one, Epoch) is isinstance(following, Epoch)
            if together and ALONE.isdisjoint((one.envelope.type, following.envelope.type)):
                continue
        yield submissions[start:place]
        start = place


def parts_of(submissions: Sequence[Submission]) -> list[Sequence[Submission]]:
    """Return the submissions in order, in parts of up to `MAX_PART`; if there are several, the first is smaller."""
    if len(submissions) <= MAX_PART:
        return [submissions]
    # While the first part is planned nothing is written.
    starts = [0, *range(MAX_PART // 2, len(submissions), MAX_PART)]
    return [submissions[start:end] for start, end in pairwise([*starts, len(submissions)])]
