"""Changes of scores: what statements score now, and what they scored when their subscriber last saw them.

What changes twice between two looks is one event, so nobody is told every score there was. What is exact is that each
event begins where the last one of its statement ended: `scoreBefore` is what was told before. That holds across
connections, because the cursor of an event has in it what was told of the statements until then. A cursor that has
nothing of that, of the log or of another subscription, begins with the scores that the verdicts up to there give; where
something else came since that may have moved them, each statement is told of once in any case.
"""

import asyncio
from collections.abc import AsyncGenerator
from typing import Annotated

import strawberry

from graph.errors import InputError
from graph.graphql.context import MAX_PAGE, Info
from graph.graphql.statement import Statement
from graph.graphql.subscriptions.following import After, StatementOf, beginning, cursor_of, telling
from graph.graphql.subscriptions.last_seen import LastSeen, Seen, seen_as
from graph.graphql.subscriptions.place import Place
from graph.requests.following import PATIENCE
from graph.scoring.scores_then import may_differ, scores_then
from graph.search.statements import search_statements

PAUSE = 0.1
"""Seconds between two looks at one statement."""

SEARCH_PAUSE = 5.0
"""Seconds between two searches for a topic, however fast the log grows: what changes meanwhile is one change."""

_MOST_SEEN = 10 * MAX_PAGE  # statements about a topic of which it is known what they scored

TopicOf = Annotated[str | None, strawberry.argument(description="Words to look for.")]


@strawberry.type(description="The score of a statement, or whether it is verified, has changed.")
class ScoreChange:
    """What a statement scores now, and what it scored before; a change is one of four decimals."""

    statement: Statement = strawberry.field(description="The statement.")
    score: float = strawberry.field(description="What it scores now.")
    verified: bool = strawberry.field(description="Whether it is verified now.")
    score_before: float = strawberry.field(
        description="What it scored when it was last told of, with four decimals; 0 where it was new then."
    )
    verified_before: bool = strawberry.field(description="Whether it was verified then.")
    log_size: int = strawberry.field(
        description="The size of the log when it was seen: an entry before that has changed it."
    )
    cursor: str = strawberry.field(description="Where to go on behind this event: the `after` of a subscription.")


async def follow_scores(
    info: Info, statement_id: StatementOf = None, topic: TopicOf = None, after: After = None
) -> AsyncGenerator[ScoreChange, None]:
    """Yield the changes of the score of a statement, or of those about a topic."""
    if (statement_id is None) == (topic is None):
        raise InputError("one of statementId and topic is needed", "topic")
    named = None if statement_id is None else await info.context.loaders.hash_of(statement_id)
    followed = _Followed(info, named, topic)
    await followed.begin(after)
    with info.context.platform.subscribers.one_more(info.context.share):
        while True:
            async for change in followed.changes():
                yield change
            await followed.grown()


class _Followed:
    """The statements of one subscription, and what was last told of them."""

    def __init__(self, info: Info, named: str | None, topic: str | None) -> None:
        self._info = info
        self._watch = info.context.platform.watch
        self._named = named
        self._topic = topic
        self._seen = LastSeen(_MOST_SEEN)
        self._size = 0
        self._uncertain: set[str] = set()

    async def begin(self, after: str | None) -> None:
        """Take note of what the statements scored at the place where the subscription begins."""
        place = await beginning(self._info, after)
        self._size = place.size
        self._seen.read(place.told, "after")
        statements = await self._statements()
        if not place.told and place.size >= await self._watch.size():
            then = {statement.signed_hash: _seen(statement) for statement in statements}
        else:
            # What is newer than the place was not there to be scored.
            unknown = [one.signed_hash for one in statements if one.log_index < place.size and not self._knows(one)]
            store = self._info.context.platform.store
            scored = await scores_then(store, unknown, place.size) if unknown else {}
            then = {name: seen_as(*score) for name, score in scored.items()}
            if unknown and await may_differ(store, unknown, place.size, await self._watch.size()):
                self._uncertain.update(unknown)
        for name, seen in then.items():
            self._seen.put(name, seen)

    async def changes(self) -> AsyncGenerator[ScoreChange, None]:
        """Yield what has changed since it was last told, as it is in a log of the size that is named."""
        await self._info.context.renew()
        statements = await self._statements()
        # What came while they were read may be seen already, and is looked at again.
        size = await self._watch.size()
        hashes = [statement.signed_hash for statement in statements]
        for statement in statements:
            now = _seen(statement)
            before = self._seen.put(statement.signed_hash, now)
            if now != before or statement.signed_hash in self._uncertain:
                self._uncertain.discard(statement.signed_hash)
                place = Place(self._size, self._seen.written(hashes))
                async with telling(self._info, place):
                    yield ScoreChange(
                        statement=statement,
                        score=statement.consensus_score,
                        verified=statement.verified,
                        score_before=before.score,
                        verified_before=before.verified,
                        log_size=size,
                        cursor=cursor_of(self._info, place),
                    )

    async def grown(self) -> None:
        """Return once the log has grown, after a pause in which it may grow on.

        It returns after a while in any case: while everything is scored again, scores change and the log does not grow.
        """
        await self._watch.wait_past(self._size, PATIENCE)
        await asyncio.sleep(PAUSE if self._topic is None else SEARCH_PAUSE)
        self._size = max(self._size, await self._watch.size())

    def _knows(self, statement: Statement) -> bool:
        return self._seen.knows(statement.signed_hash)

    async def _statements(self) -> list[Statement]:
        loaders = self._info.context.loaders
        if self._named is not None:
            return [await loaders.statement_with(self._named)]
        store, reader = self._info.context.platform.store, self._info.context.reader
        return await loaders.statements_with(await search_statements(store, reader, self._topic or "", first=MAX_PAGE))


def _seen(statement: Statement) -> Seen:
    return seen_as(statement.consensus_score, statement.verified)
