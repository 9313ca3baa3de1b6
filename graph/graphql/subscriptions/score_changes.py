"""Changes of scores: the current score of a statement, and its score at the subscriber's previous event.

Two changes between two looks are one event, so not every intermediate score is delivered. Each event does begin at the
end of the statement's previous event: `scoreBefore` is the score delivered before. That holds across connections,
because the cursor of an event holds the scores delivered until then. A cursor without scores, of the log or of another
subscription, begins with the scores that follow from the verdicts up to that place; if later entries of other types may
have changed them, each statement gets one event in any case.
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
from graph.scores.earlier_scores import may_differ, scores_then
from graph.search.statements import search_statements

PAUSE = 0.1
"""The number of seconds between two looks at one statement."""

SEARCH_PAUSE = 5.0
"""The number of seconds between two searches for a topic; changes in between are one change."""

_MOST_SEEN = 10 * MAX_PAGE  # statements about a topic whose last score is kept

TopicOf = Annotated[str | None, strawberry.argument(description="The words to search for.")]


@strawberry.type(description="A change of the score of a statement, or of its verified flag.")
class ScoreChange:
    """The current and the previous score of a statement; a change is one of four decimals."""

    statement: Statement = strawberry.field(description="The statement.")
    score: float = strawberry.field(description="The current score.")
    verified: bool = strawberry.field(description="Whether the statement is verified now.")
    score_before: float = strawberry.field(
        description="The score in the statement's previous event, to four decimals; 0 if the statement was new."
    )
    verified_before: bool = strawberry.field(description="Whether the statement was verified in the previous event.")
    log_size: int = strawberry.field(
        description="The size of the log at the time of the look; an entry below that size caused the change."
    )
    cursor: str = strawberry.field(description="The cursor after this event, for the `after` of a subscription.")


async def follow_scores(
    info: Info, statement_id: StatementOf = None, topic: TopicOf = None, after: After = None
) -> AsyncGenerator[ScoreChange, None]:
    """Yield the changes of the score of a statement, or of the statements about a topic."""
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
    """The statements of one subscription, with their scores as last delivered."""

    def __init__(self, info: Info, named: str | None, topic: str | None) -> None:
        self._info = info
        self._watch = info.context.platform.watch
        self._named = named
        self._topic = topic
        self._seen = LastSeen(_MOST_SEEN)
        self._size = 0
        self._uncertain: set[str] = set()

    async def begin(self, after: str | None) -> None:
        """Store the scores of the statements at the place where the subscription begins."""
        place = await beginning(self._info, after)
        self._size = place.size
        self._seen.read(place.told, "after")
        statements = await self._statements()
        if not place.told and place.size >= await self._watch.size():
            then = {statement.signed_hash: _seen(statement) for statement in statements}
        else:
            # A statement newer than the place had no score there.
            unknown = [one.signed_hash for one in statements if one.log_index < place.size and not self._knows(one)]
            store = self._info.context.platform.store
            scored = await scores_then(store, unknown, place.size) if unknown else {}
            then = {name: seen_as(*score) for name, score in scored.items()}
            if unknown and await may_differ(store, unknown, place.size, await self._watch.size()):
                self._uncertain.update(unknown)
        for name, seen in then.items():
            self._seen.put(name, seen)

    async def changes(self) -> AsyncGenerator[ScoreChange, None]:
        """Yield the changes since the last delivery, each with the size of the log at which it was seen."""
        await self._info.context.renew()
        statements = await self._statements()
        # Entries that arrive during the read may be included already; they are looked at again.
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
        """Return once the log has grown, after a pause in which it may grow further.

        It also returns after a timeout: during a recomputation of all scores, they change without growth of the log.
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
