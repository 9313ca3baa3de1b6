"""Reads from the graph the verification requests that wait, and which of them a verifier is offered."""

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from graph.log.state_loader import Reads, log_size
from graph.requests.offers import OpenRequest, Standing, may_be_offered, micros_of
from graph.requests.people import people_of
from graph.store import Row

_PAGE = 200
MAX_PAGES = 6
"""So many pages of requests one call looks at; the second half begins anywhere in the log."""


@dataclass(frozen=True, slots=True)
class OwnLease:
    """A lease of an agent on a request, live or over, and for how many microseconds in all it has been given."""

    lease_id: str
    expires_micros: int
    held_micros: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A request that is offered to a verifier, and its earlier lease on it, if any."""

    request: OpenRequest
    earlier: OwnLease | None = None


async def offers_for(
    reads: Reads, agent_id: str, criteria: Sequence[str], now: datetime, most: int, longest: int
) -> list[Offer]:
    """Return the requests that are offered to a verifier for these criteria, oldest first, about `most` of them.

    Those that it has had for `longest` microseconds are not. Where what is open fills more pages than one call looks
    at, it looks at the oldest, and then at others, so that a verifier that calls again finds what there is.
    """
    found: list[Offer] = []
    after = -1
    for page in range(MAX_PAGES):
        rows = await open_rows(reads, criteria, now, agent_id=agent_id, after=after, first=_PAGE)
        requests = [OpenRequest.from_row(row) for row in rows]
        found += await offered_of(reads, agent_id, requests, now, longest)
        if len(found) >= most or len(rows) < _PAGE:
            break
        after = rows[-1]["log_index"]
        if page + 1 == MAX_PAGES // 2:
            after = random.randint(after, max(after, await log_size(reads) - 1))
    return found[:most]


async def offered_of(
    reads: Reads, agent_id: str, requests: Sequence[OpenRequest], now: datetime, longest: int
) -> list[Offer]:
    """Return those of these requests that are offered to a verifier which has neither answered nor declined them."""
    if not requests:
        return []
    hashes = [request.signed_hash for request in requests]
    own = await own_leases(reads, agent_id, hashes)
    leased = defaultdict[str, set[str]](set)
    wanted = [request.signed_hash for request in requests if request.wanted_verdicts is not None]
    for row in await reads.read("leases_on", hashes=wanted, now=micros_of(now)) if wanted else ():
        leased[row["request"]].add(row["agent_id"])
    agents = {agent_id, *(request.author for request in requests)}
    agents = agents.union(*leased.values(), *(request.answered_by for request in requests))
    people = await people_of(reads, sorted(agents))
    found = []
    for request in requests:
        earlier = own.get(request.signed_hash)
        if earlier is not None and (earlier.expires_micros > micros_of(now) or earlier.held_micros >= longest):
            continue
        standing = Standing(frozenset(request.answered_by), frozenset(), frozenset(leased[request.signed_hash]))
        if may_be_offered(request, agent_id, standing, people):
            found.append(Offer(request, earlier))
    return found


async def own_leases(reads: Reads, agent_id: str, hashes: Sequence[str]) -> dict[str, OwnLease]:
    """Return the leases, live or over, that an agent has on these requests, by the hash of the request."""
    rows = await reads.read("own_leases", keys=[lease_key(name, agent_id) for name in hashes])
    return {row["request"]: OwnLease(row["lease_id"], row["expires_micros"], row["held_micros"]) for row in rows}


async def replied_to(reads: Reads, agent_id: str, hashes: Sequence[str]) -> set[str]:
    """Return those of these requests that an agent has answered, with a verdict that stands, or declined."""
    return {row["request"] for row in await reads.read("replies_of", hashes=list(hashes), agent=agent_id)}


def lease_key(request_hash: str, agent_id: str) -> str:
    """Return the key of the one lease of an agent on a request."""
    return f"{request_hash}|{agent_id}"


async def open_rows(
    reads: Reads, criteria: Sequence[str], now: datetime, *, agent_id: str | None = None, after: int, first: int
) -> list[Row]:
    """Return rows of requests after a place in the log that wait, oldest first; those that this agent may answer."""
    return await reads.read(
        "open_requests", now=micros_of(now), criteria=list(criteria), agent=agent_id, after=after, first=first
    )
