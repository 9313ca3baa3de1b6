"""What can be waited for: requests, verdicts and scores, as the log grows, by whichever server.

Each event is resolved with fresh loaders, as a request of its own would be: nothing is remembered from one to the next,
and a reader sees of each what this reader may see.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import aclosing, asynccontextmanager
from typing import Annotated

import strawberry

from a2ap.log.entry import LogEntry
from a2ap.message import MessageType
from graph.answers.search import search_statements
from graph.errors import InputError
from graph.graphql.arguments import Criteria
from graph.graphql.context import MAX_PAGE, Info
from graph.graphql.fields import subscribed
from graph.graphql.last_seen import LastSeen
from graph.graphql.statement import Statement
from graph.graphql.verification import Verification, VerificationRequest
from graph.requests.following import PATIENCE, new_entries
from graph.store import Row

_PAUSE = 0.1  # seconds between two looks at one statement
SEARCH_PAUSE = 5.0
"""Seconds between two searches for a topic, however fast the log grows: what changes meanwhile is one change."""
_MOST_SEEN = 10 * MAX_PAGE  # statements about a topic of which it is known what they scored


@strawberry.type(description="The score of a statement, or whether it is verified, has changed.")
class ScoreChange:
    """What a statement scores now, and what it scored before."""

    statement: Statement = strawberry.field(description="The statement.")
    score: float = strawberry.field(description="What it scores now.")
    verified: bool = strawberry.field(description="Whether it is verified now.")
    score_before: float = strawberry.field(description="What it scored before.")
    verified_before: bool = strawberry.field(description="Whether it was verified before.")
    log_size: int = strawberry.field(
        description="The size of the log when it was seen: an entry before that has changed it."
    )


@strawberry.type(description="What can be waited for, over graphql-transport-ws.")
class Subscription:
    """The root of all subscriptions."""

    @subscribed
    async def verification_requests(
        self, info: Info, criteria: Criteria = None
    ) -> AsyncGenerator[VerificationRequest, None]:
        """Requests for verdicts on any of these criteria, on all where none are named."""
        wanted = set(criteria or ())
        size = await info.context.platform.watch.size()
        async with _following(info, size) as pages:
            async for entries in pages:
                for row in await _rows(info, "requests_by_hash", entries, MessageType.VERIFICATION_REQUEST):
                    if not wanted or not wanted.isdisjoint(row["criteria"]):
                        info.context.renew()
                        yield VerificationRequest.from_row(row)

    @subscribed
    async def verdicts(
        self,
        info: Info,
        statement_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="A statement by its id or its signedHash.")
        ] = None,
    ) -> AsyncGenerator[Verification, None]:
        """Verdicts on a statement, by its id or its signedHash; on all without one."""
        wanted = None if statement_id is None else await info.context.loaders.hash_of(statement_id)
        size = await info.context.platform.watch.size()
        async with _following(info, size) as pages:
            async for entries in pages:
                for row in await _rows(info, "verifications_by_hash", entries, MessageType.VERIFICATION_RESPONSE):
                    if wanted in (None, row["statement"]):
                        info.context.renew()
                        (verdict,) = await info.context.loaders.take_verifications([row])
                        yield verdict

    @subscribed
    async def score_changes(
        self,
        info: Info,
        statement_id: Annotated[
            strawberry.ID | None, strawberry.argument(description="A statement by its id or its signedHash.")
        ] = None,
        topic: Annotated[str | None, strawberry.argument(description="Words to look for.")] = None,
    ) -> AsyncGenerator[ScoreChange, None]:
        """Changes of the scores of a statement, by id or signedHash, or of those about a topic.

        A topic is searched for every five seconds at most, and its best 200 statements are followed.
        """
        if (statement_id is None) == (topic is None):
            raise InputError("one of statementId and topic is needed", "topic")
        named = None if statement_id is None else await info.context.loaders.hash_of(statement_id)
        watch = info.context.platform.watch
        size = await watch.size()
        seen = LastSeen(_MOST_SEEN)
        _changes(seen, await _statements(info, named, topic), size)
        pause = _PAUSE if topic is None else SEARCH_PAUSE
        with info.context.platform.subscribers.one_more(info.context.subscriber):
            while True:
                size = await _grown(info, size, pause)
                info.context.renew()
                statements = await _statements(info, named, topic)
                # What came while they were read may be seen already, and is looked at again.
                for change in _changes(seen, statements, await watch.size()):
                    yield change


def _changes(seen: LastSeen, statements: Sequence[Statement], size: int) -> list[ScoreChange]:
    """Return what has changed of these statements since they were last seen, as it is in a log of this size."""
    found = []
    for statement in statements:
        now = (statement.consensus_score, statement.verified)
        before = seen.put(statement.signed_hash, now)
        if now != before:
            found.append(
                ScoreChange(
                    statement=statement,
                    score=statement.consensus_score,
                    verified=statement.verified,
                    score_before=before[0],
                    verified_before=before[1],
                    log_size=size,
                )
            )
    return found


async def _grown(info: Info, size: int, pause: float) -> int:
    """Return the size of the log once it is more than `size`, after so many seconds more, in which it may grow on.

    It is returned after a while in any case: while everything is scored again, scores change and the log does not grow.
    """
    watch = info.context.platform.watch
    found = await watch.wait_past(size, PATIENCE)
    await asyncio.sleep(pause)
    return max(found, await watch.size())


@asynccontextmanager
async def _following(info: Info, size: int) -> AsyncIterator[AsyncIterator[list[LogEntry]]]:
    """Count a subscriber, and give the entries after the first `size`, a page at a time."""
    platform = info.context.platform
    with platform.subscribers.one_more(info.context.subscriber):
        async with aclosing(new_entries(platform.store, platform.watch, size)) as pages:
            yield pages


async def _rows(info: Info, query: str, entries: Sequence[LogEntry], message_type: MessageType) -> list[Row]:
    """Return the rows of those of the entries that are of this type, in log order."""
    hashes = [entry.signed_hash for entry in entries if entry.type == message_type.value]
    rows = await info.context.platform.store.read(query, hashes=hashes) if hashes else []
    return sorted(rows, key=lambda row: row["log_index"])


async def _statements(info: Info, named: str | None, topic: str | None) -> list[Statement]:
    loaders = info.context.loaders
    if named is not None:
        return [await loaders.statement_with(named)]
    store, reader = info.context.platform.store, info.context.reader
    return await loaders.statements_with(await search_statements(store, reader, topic or "", first=MAX_PAGE))
