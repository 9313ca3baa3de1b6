"""The list of open verification requests, with filter."""

from collections.abc import Sequence
from typing import Annotated

import strawberry

from a2ap.times import micros_of
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.ordering import Direction, OldestFirst
from graph.graphql.verification_request import VerificationRequest
from graph.lists.cursor import Ordering
from graph.lists.ordered import find_numbered
from graph.lists.span import Span
from graph.store import Row


@strawberry.input(description="A filter of requests; a request must meet every condition given.")
class RequestFilter:
    """The parameters of `find_open_requests.cypher`; null is no condition."""

    criteria: list[str] | None = strawberry.field(
        default=None, description="Only requests that name any of these criteria."
    )
    requester: strawberry.ID | None = strawberry.field(
        default=None, description="Only requests of this agent, by its id."
    )
    verifier: strawberry.ID | None = strawberry.field(
        default=None,
        description="Only requests that this agent may answer: requests for any verifier, or that name it.",
    )


Which = Annotated[RequestFilter | None, strawberry.argument(description="Filter; omit to return all open requests.")]


async def resolve_open_requests(
    info: Info,
    filter: Which = None,
    direction: OldestFirst = Direction.ASC,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[VerificationRequest]:
    """Return a page of the open requests."""
    ordering = Ordering("openRequests by LOG_INDEX", (int,), direction is Direction.DESC)
    asked = filter or RequestFilter()
    store, now = info.context.platform.store, micros_of(info.context.platform.clock())
    parameters: dict[str, object] = {
        "now": now,
        "criteria": asked.criteria or [],
        "agent": asked.verifier,
        "requester": asked.requester,
    }

    async def find(span: Span) -> list[Row]:
        return await find_numbered(store, "find_open_requests", span, parameters)

    async def show(rows: Sequence[Row]) -> list[VerificationRequest | None]:
        hashes = [row["signed_hash"] for row in rows]
        whole = await store.read("requests_by_hash", hashes=hashes) if hashes else []
        info.context.loaders.spend(len(whole))
        found = {row["signed_hash"]: VerificationRequest.from_row(row) for row in whole}
        return [found.get(name) for name in hashes]

    return await connect(Span.asked(ordering, first, after, last, before), find, show)
