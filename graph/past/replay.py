"""Replays scores at a size of the log, from the log alone: builds the graph of its first entries in a separate engine.

Scores are functions of the log, and reliabilities are in it as numbers, so that every reader of the same entries gets
the same four decimals, on any machine.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from a2ap.log.entry import LogEntry
from graph.content.content_store import ContentStore
from graph.errors import InputError, NotFoundError
from graph.retention.standing import redacted_messages
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.consensus import Consensus
from graph.scoring.judged import judged_hashes
from graph.scoring.reading import StoreReader
from graph.scoring.standing import ClaimKind
from graph.store import Store, scratch_store
from graph.submission.rebuild import rebuild
from graph.verifier.stored_kinds import kinds_of_claims

# Writing more entries than this takes longer than the start of an engine that optimizes.
_BRIEF = 10_000


@dataclass(frozen=True, slots=True)
class ReplayedScore:
    """The consensus on a statement, with the statement's id, signed hash and kind of claim.

    The kind is None if words of the evidence that it follows from were erased or are not in the graph.
    """

    statement_id: str
    signed_hash: str
    consensus: Consensus
    kind: ClaimKind | None


@dataclass(frozen=True, slots=True)
class ReplayRequest:
    """The scope of a replay: the first `size` entries, and one statement by id or hash, or all judged statements."""

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
    """Yield the scores at a size of this log, in log order; `folder` is empty, and the caller removes it.

    Raises `InputError` if the log is shorter or the method unknown, and `NotFoundError` for a statement that is not
    among these entries.
    """
    async with scratch_store(folder, heap=request.heap, brief=request.size <= _BRIEF) as store:
        async for _, score in replay_into(store, [request], entries, content, on_progress):
            yield score


async def replay_into(
    store: Store,
    requests: Sequence[ReplayRequest],
    entries: Callable[[], Iterable[LogEntry]],
    content: ContentStore,
    on_progress: Callable[[int], None] = lambda size: None,
) -> AsyncIterator[tuple[ReplayRequest, ReplayedScore]]:
    """Write this log into an empty store, and yield the scores at each requested size when it is reached.

    Raises the same errors as `replay_scores`.
    """
    redacted = await redacted_messages(content, entries())
    stops = {request.size for request in requests}
    reached, last = 0, max(stops)
    async with aclosing(rebuild(store, content, islice(entries(), last), stops=stops, redacted=redacted)) as sizes:
        async for reached in sizes:
            on_progress(reached)
            for request in requests:
                if request.size == reached:
                    async for score in _scores(store, request):
                        yield request, score
            if reached == last:
                # Sources are not fetched: the machine's findings about them are in the log.
                break
    if reached < last:
        raise InputError(f"the log has {reached} entries, not {last}", "at")


async def _scores(store: Store, request: ReplayRequest) -> AsyncIterator[ReplayedScore]:
    async for page in _pages(store, request.statement):
        hashes = [signed_hash for signed_hash, _ in page]
        found = await consensus_of_statements(store, hashes, request.method)
        rows = await store.read("statements_by_hash", hashes=hashes)
        kinds = await kinds_of_claims(store, {row["signed_hash"]: row for row in rows})
        for signed_hash, statement_id in page:
            yield ReplayedScore(statement_id, signed_hash, found[signed_hash], kinds[signed_hash])


async def _pages(store: Store, statement: str | None) -> AsyncIterator[list[tuple[str, str]]]:
    """Yield pages of (signed hash, id): of the named statement, or of all judged statements."""
    if statement is not None:
        if statement.startswith("sha256:"):
            rows = await store.read("statements_by_hash", hashes=[statement])
        else:
            rows = await store.read("statements_by_id", ids=[statement])
        if not rows:
            raise NotFoundError(f"no statement {statement} is among these entries")
        yield [(row["signed_hash"], row["statement_id"]) for row in rows]
        return
    async for judged in judged_hashes(StoreReader(store)):
        rows = await store.read("statements_by_hash", hashes=judged)
        names = {row["signed_hash"]: row["statement_id"] for row in rows}
        yield [(signed_hash, names[signed_hash]) for signed_hash in judged]
