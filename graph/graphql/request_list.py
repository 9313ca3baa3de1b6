"""The list of open verification requests, with filter."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated

import strawberry

from a2ap.times import micros_of
from graph.graphql.connection import AfterOf, BeforeOf, Connection, FirstOf, LastOf, connect
from graph.graphql.context import Info
from graph.graphql.ordering import Direction, OldestFirst
from graph.graphql.verification_request import VerificationRequest
from graph.lists.cursor import Ordering
from graph.lists.ordered import find_numbered, numbers_of
from graph.lists.span import MAX_COUNTED, MAX_PAGE, Span
from graph.requests.drawing import are_drawn
from graph.requests.open_requests import drawn_among
from graph.store import Row, Store

_QUERY = "find_open_requests"


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
        description="Only requests that are for this agent: requests that name it, or for any verifier; of the latter, "
        "if operators are drawn for the statement, only those for which the agent's operator is drawn.",
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
    store, now = info.context.platform.store, info.context.platform.clock()
    parameters: dict[str, object] = {
        "now": micros_of(now),
        "criteria": asked.criteria or [],
        "agent": asked.verifier,
        "requester": asked.requester,
    }

    async def find(span: Span) -> list[Row]:
        if asked.verifier is None or not await are_drawn(store):
            return await find_numbered(store, _QUERY, span, parameters)
        return await _find_drawn(store, span, parameters, asked.verifier, now)

    async def show(rows: Sequence[Row]) -> list[VerificationRequest | None]:
        hashes = [row["signed_hash"] for row in rows]
        whole = await store.read("requests_by_hash", hashes=hashes) if hashes else []
        info.context.loaders.spend(len(whole))
        found = {row["signed_hash"]: VerificationRequest.from_row(row) for row in whole}
        return [found.get(name) for name in hashes]

    return await connect(Span.asked(ordering, first, after, last, before), find, show)


async def _find_drawn(
    store: Store, span: Span, parameters: Mapping[str, object], agent_id: str, now: datetime
) -> list[Row]:
    """Return the rows of a span that are for an agent's operator; it looks at `MAX_COUNTED` requests at most."""
    found: list[Row] = []
    low, high = numbers_of(span)
    page = replace(span, count=MAX_PAGE)
    for _ in range(MAX_COUNTED // MAX_PAGE):
        rows = await find_numbered(store, _QUERY, page, parameters, between=(low, high))
        drawn = await drawn_among(store, agent_id, [row["signed_hash"] for row in rows], now)
        found += [row for row in rows if row["signed_hash"] in drawn]
        if len(found) >= span.limit or len(rows) < page.limit:
            break
        last = rows[-1]["log_index"]
        low, high = (last, high) if span.sign > 0 else (low, last)
    return found[: span.limit]
