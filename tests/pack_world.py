"""Packs for a graph with one of everything in it."""

from builders import signed_record
from packs import STEPS, pack

from a2ap.messages.message import read_message
from a2ap.messages.record_registration import RecordFormat
from graph.submission.submission import Submission


def pack_submissions(seed: int) -> list[Submission]:
    """Return the registrations of a pack and of one that follows it, by an agent, with all that they name."""
    parent = pack()
    child = pack("2026-02-01T00:00:00Z", parent.hash, steps=STEPS[:1])
    return [
        Submission(
            read_message(signed_record(seed, content=one.data, format=RecordFormat.PACK)),
            blobs=(one.data, *one.blobs.values()),
        )
        for one in (parent, child)
    ]
