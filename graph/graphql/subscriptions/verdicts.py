"""The subscription to verdicts."""

from collections.abc import AsyncGenerator

from a2ap.messages.message import MessageType
from graph.graphql.context import Info
from graph.graphql.subscriptions.following import After, StatementOf, following, rows_of, telling
from graph.graphql.subscriptions.place import Place
from graph.graphql.verification import Verification


async def follow_verdicts(
    info: Info, statement_id: StatementOf = None, after: After = None
) -> AsyncGenerator[Verification, None]:
    """Yield the verdicts on a statement, by its id or its signedHash; all verdicts if it is None."""
    wanted = None if statement_id is None else await info.context.loaders.hash_of(statement_id)
    async with following(info, after) as pages:
        async for entries in pages:
            for row in await rows_of(info, "verifications_by_hash", entries, MessageType.VERIFICATION_RESPONSE):
                if wanted in (None, row["statement"]):
                    async with telling(info, Place(row["log_index"] + 1)):
                        (verdict,) = await info.context.loaders.take_verifications([row])
                        yield verdict
