"""Reads from the graph the verification requests that wait, and the part of them that a verifier is offered."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from a2ap.times import micros_of
from graph.log.entry import log_size
from graph.requests.drawing import draws_for_requests, is_drawn
from graph.requests.offers import OpenRequest, People, Standing, may_be_offered
from graph.requests.people import people_of
from graph.store import Reads, Row

_PAGE = 200
MAX_PAGES = 6
"""The most pages of requests that one call looks at; the second half begins anywhere in the log."""


@dataclass(frozen=True, slots=True)
class OwnLease:
    """A lease of an agent on a request, live or over, and the microseconds for which it was given in all."""

    lease_id: str
    expires_micros: int
    held_micros: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A request that is offered to a verifier, and the microseconds for which it and its operator have had it.

    `held` are the verifier's own, `held_by_others` those of other agents of the same operator.
    """

    request: OpenRequest
    held: int = 0
    held_by_others: int = 0


async def offers_for(
    reads: Reads,
    agent_id: str,
    criteria: Sequence[str],
    now: datetime,
    most: int,
    longest: int,
    randint: Callable[[int, int], int],
) -> list[Offer]:
    """Return the requests that are offered to a verifier for these criteria, oldest first, up to `most` of them.

    Requests that it has had for `longest` microseconds, or its operator a place of, are left out. If the open requests
    fill more pages than one call looks at, it looks at the oldest, and then from a place that `randint` gives, so that
    a verifier that calls again finds the others.
    """
    found: list[Offer] = []
    after = -1
    for page in range(MAX_PAGES):
        rows = await open_rows(reads, criteria, now, agent_id=agent_id, after=after, first=_PAGE)
        requests = await _not_replied_to(reads, agent_id, [OpenRequest.from_row(row) for row in rows])
        found += await offered_of(reads, agent_id, requests, now, longest)
        if len(found) >= most or len(rows) < _PAGE:
            break
        after = rows[-1]["log_index"]
        if page + 1 == MAX_PAGES // 2:
            after = randint(after, max(after, await log_size(reads) - 1))
    return found[:most]


async def _not_replied_to(reads: Reads, agent_id: str, requests: Sequence[OpenRequest]) -> list[OpenRequest]:
    others = [request for request in requests if request.author != agent_id]
    replied = await replied_to(reads, agent_id, [request.signed_hash for request in others])
    return [request for request in others if request.signed_hash not in replied]


async def offered_of(
    reads: Reads, agent_id: str, requests: Sequence[OpenRequest], now: datetime, longest: int
) -> list[Offer]:
    """Return the requests among these that are offered to a verifier; it has neither answered nor declined them."""
    if not requests:
        return []
    hashes = [request.signed_hash for request in requests]
    own = await own_leases(reads, agent_id, hashes)
    leased = defaultdict[str, set[str]](set)
    wanted = [request.signed_hash for request in requests if request.wanted_verdicts is not None]
    for row in await reads.read("leases_on", hashes=wanted, now=micros_of(now)) if wanted else ():
        leased[row["request"]].add(row["agent_id"])
    others = await held_by_siblings(reads, agent_id, hashes)
    agents = {agent_id, *(request.author for request in requests)}
    agents = agents.union(*leased.values(), *(request.answered_by for request in requests))
    people = await people_of(reads, sorted(agents))
    draws = await draws_for_requests(reads, requests)
    found = []
    for request in requests:
        earlier = own.get(request.signed_hash)
        held, shared = earlier.held_micros if earlier else 0, others[request.signed_hash]
        if (earlier is not None and earlier.expires_micros > micros_of(now)) or held + shared >= longest:
            continue
        standing = Standing(frozenset(request.answered_by), frozenset(), frozenset(leased[request.signed_hash]))
        draw = None if request.eligible_verifiers is not None else draws.get(request.statement)
        if not is_drawn(people.operator_of(agent_id), draw, micros_of(now)):
            continue
        if may_be_offered(request, agent_id, standing, people):
            found.append(Offer(request, held, shared))
    return found


async def drawn_among(reads: Reads, agent_id: str, hashes: Sequence[str], now: datetime) -> set[str]:
    """Return the requests among these, by hash, for whose statements no operator is drawn, or that of this agent is.

    Requests that name their verifiers are included: nobody is drawn for them.
    """
    rows = await reads.read("requests_by_hash", hashes=list(hashes)) if hashes else []
    requests = [OpenRequest.from_row(row) for row in rows]
    draws = await draws_for_requests(reads, requests)
    operator = (await people_of(reads, [agent_id])).operator_of(agent_id) if draws else None
    return {
        one.signed_hash
        for one in requests
        if one.eligible_verifiers is not None or is_drawn(operator, draws.get(one.statement), micros_of(now))
    }


async def held_by_siblings(reads: Reads, agent_id: str, hashes: Sequence[str]) -> Counter[str]:
    """Return the microseconds for which other agents of an agent's operator have held places, by request."""
    rows = await reads.read("places_held", hashes=list(hashes))
    people = await people_of(reads, sorted({agent_id, *(row["agent_id"] for row in rows)})) if rows else People({})
    operator, held = people.operator_of(agent_id), Counter[str]()
    for row in rows:
        if operator is not None and row["agent_id"] != agent_id and people.operator_of(row["agent_id"]) == operator:
            held[row["request"]] += row["held_micros"]
    return held


async def own_leases(reads: Reads, agent_id: str, hashes: Sequence[str]) -> dict[str, OwnLease]:
    """Return the leases, live or over, that an agent has on these requests, by the hash of the request."""
    rows = await reads.read("own_leases", keys=[lease_key(name, agent_id) for name in hashes])
    return {row["request"]: OwnLease(row["lease_id"], row["expires_micros"], row["held_micros"]) for row in rows}


async def replied_to(reads: Reads, agent_id: str, hashes: Sequence[str]) -> set[str]:
    """Return the requests among these that an agent has answered, with a verdict in force, or declined."""
    return {row["request"] for row in await reads.read("replies_of", hashes=list(hashes), agent=agent_id)}


def lease_key(request_hash: str, agent_id: str) -> str:
    """Return the key of the one lease of an agent on a request."""
    return f"{request_hash}|{agent_id}"


async def open_rows(
    reads: Reads, criteria: Sequence[str], now: datetime, *, agent_id: str | None = None, after: int, first: int
) -> list[Row]:
    """Return rows of waiting requests after a place in the log, oldest first; only those that this agent may answer.

    Requests that it has answered or declined are included, so that the last row is where the page ends.
    """
    page = await reads.read(
        "open_requests", now=micros_of(now), criteria=list(criteria), agent=agent_id, after=after, first=first
    )
    return await reads.read("requests_by_hash", hashes=[row["signed_hash"] for row in page]) if page else []
