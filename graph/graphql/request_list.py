"""The verification requests that wait, narrowed to what the asker wants."""

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


@strawberry.input(description="Which requests are meant: those for which all holds that is given.")
class RequestFilter:
    """The parameters of `find_open_requests.cypher`; null is what does not matter."""

    criteria: list[str] | None = strawberry.field(default=None, description="That name any of these.")
    requester: strawberry.ID | None = strawberry.field(default=None, description="Who asks, by the id of an agent.")
    verifier: strawberry.ID | None = strawberry.field(
        default=None, description="That this agent may answer: they are for everybody or name it."
    )


Which = Annotated[RequestFilter | None, strawberry.argument(description="Which; all that wait without it.")]


async def resolve_open_requests(
    info: Info,
    filter: Which = None,
    direction: OldestFirst = Direction.ASC,
    first: FirstOf = None,
    after: AfterOf = None,
    last: LastOf = None,
    before: BeforeOf = None,
) -> Connection[VerificationRequest]:
    """Return a page of the requests that wait."""
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
