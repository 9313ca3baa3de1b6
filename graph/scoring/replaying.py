"""Scores as they were at a size of the log, from the log alone: the graph of its first entries, in an engine apart.

Scores are functions of the log, and reliabilities are in it as numbers, so that everybody who has the same entries gets
the same four decimals, on any machine.
"""

from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from a2ap.log.entry import LogEntry
from graph.audit.replay import scratch_store
from graph.content.content_store import ContentStore
from graph.errors import InputError, NotFoundError
from graph.log.rebuild import rebuild
from graph.retention.standing import redacted_messages
from graph.scoring.consensus import Consensus
from graph.scoring.on_demand import consensus_of_statements
from graph.store import Store

_PAGE = 500


@dataclass(frozen=True, slots=True)
class ReplayedScore:
    """The consensus on a statement, and how it is called."""

    statement_id: str
    signed_hash: str
    consensus: Consensus


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """What is to be replayed: the first `size` entries, and one statement by id or hash, or all that are judged."""

    size: int
    method: str | None = None
    statement: str | None = None
    heap: str = "512m"


async def replay_scores(
    request: ReplayRequest,
    entries: Callable[[], Iterable[LogEntry]],
    content: ContentStore,
    folder: Path,
    on_progress: Callable[[int], None] = lambda size: None,
) -> AsyncIterator[ReplayedScore]:
    """Yield the scores at a size of this log, in order of hash; `folder` is empty and the caller's to remove.

    Raises `InputError` where the log is shorter or the method unknown, and `NotFoundError` for a statement that is not
    among these entries.
    """
    redacted = await redacted_messages(content, entries())
    async with scratch_store(folder, heap=request.heap) as store:
        reached = 0
        first = islice(entries(), request.size)
        async for reached in rebuild(store, content, first, redacted=redacted):
            on_progress(reached)
        if reached < request.size:
            raise InputError(f"the log has {reached} entries, not {request.size}", "at")
        async for page in _pages(store, request.statement):
            hashes = [signed_hash for signed_hash, _ in page]
            found = await consensus_of_statements(store, hashes, request.method)
            for signed_hash, statement_id in page:
                yield ReplayedScore(statement_id, signed_hash, found[signed_hash])


async def _pages(store: Store, statement: str | None) -> AsyncIterator[list[tuple[str, str]]]:
    """Yield pages of (signed hash, id): of the statement that is named, or of all that somebody has judged."""
    if statement is not None:
        if statement.startswith("sha256:"):
            rows = await store.read("statements_by_hash", hashes=[statement])
        else:
            rows = await store.read("statements_by_id", ids=[statement])
        if not rows:
            raise NotFoundError(f"no statement {statement} is among these entries")
        yield [(row["signed_hash"], row["statement_id"]) for row in rows]
        return
    after = ""
    while judged := await store.read("statements_judged", after=after, first=_PAGE):
        after = judged[-1]["signed_hash"]
        rows = await store.read("statements_by_hash", hashes=[row["signed_hash"] for row in judged])
        yield sorted((row["signed_hash"], row["statement_id"]) for row in rows)
