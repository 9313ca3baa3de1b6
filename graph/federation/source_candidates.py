"""Finds the sources of a peer that may be fetched: public in its log and here, cited by its statements, and not held.

A source becomes a candidate when the peer's registration of it is taken, or a statement that cites it. So this node's
log is read once, from the place at which the pull before ended.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.messages.message import MessageType, read_message
from a2ap.messages.source_registration import SourceRegistration
from a2ap.times import format_instant
from graph.errors import ContentMismatchError, ContentNotFoundError
from graph.federation.here import Here
from graph.retention.redactions import redactions_of
from graph.store import Row


@dataclass(frozen=True, slots=True)
class SourceCandidate:
    """A source that may be fetched; if `held`, its bytes are stored, and only citing statements are to be checked."""

    document_hash: str
    held: bool


async def candidates_between(here: Here, origin: str, start: int, end: int) -> list[SourceCandidate]:
    """Return the candidates among the messages that this node's log took from a peer, from `start` to before `end`."""
    rows = await here.store.read("log_entries_from", start=start, first=end - start)
    taken = [row for row in rows if row["origin"] == origin and row["origin_index"] is not None]
    statements = [row["signed_hash"] for row in taken if row["type"] == MessageType.STATEMENT]
    hashes = await _registered(here, taken)
    if statements:
        cited = await here.store.read("sources_cited", hashes=statements)
        hashes += [row["document"] for row in cited if row["document"].startswith("sha256:")]
    return await fetchable(here, origin, hashes)


async def fetchable(here: Here, origin: str, hashes: Sequence[str]) -> list[SourceCandidate]:
    """Return those of these documents that may be fetched from a peer, by hash; documents redacted here may not."""
    if not hashes:
        return []
    names = sorted(set(hashes))
    now = format_instant(here.clock())
    rows = await here.store.read("fetchable_sources", hashes=names, origin=origin, now=now)
    redacted = await redactions_of(here.store, [row["document_hash"] for row in rows])
    return [
        SourceCandidate(row["document_hash"], bool(row["held"])) for row in rows if row["document_hash"] not in redacted
    ]


async def _registered(here: Here, taken: Sequence[Row]) -> list[str]:
    """Return the hashes of the sources that these entries register."""
    found = []
    for row in taken:
        if row["type"] != MessageType.SOURCE_REGISTRATION:
            continue
        try:
            message = read_message(await here.content.get(row["document_hash"]))
        except (ContentNotFoundError, ContentMismatchError):
            continue
        if isinstance(message, SourceRegistration):
            found.append(message.document_hash)
    return found
