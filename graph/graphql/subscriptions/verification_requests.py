"""The subscription to verification requests."""

from collections.abc import AsyncGenerator

from a2ap.messages.message import MessageType
from graph.graphql.arguments import Criteria
from graph.graphql.context import Info
from graph.graphql.subscriptions.following import After, following, rows_of, telling
from graph.graphql.subscriptions.place import Place
from graph.graphql.verification_request import VerificationRequest


async def follow_requests(
    info: Info, criteria: Criteria = None, after: After = None
) -> AsyncGenerator[VerificationRequest, None]:
    """Yield the requests for verdicts on any of these criteria; all requests if none is named."""
    wanted = set(criteria or ())
    async with following(info, after) as pages:
        async for entries in pages:
            for row in await rows_of(info, "requests_by_hash", entries, MessageType.VERIFICATION_REQUEST):
                if not wanted or not wanted.isdisjoint(row["criteria"]):
                    async with telling(info, Place(row["log_index"] + 1)):
                        yield VerificationRequest.from_row(row)
