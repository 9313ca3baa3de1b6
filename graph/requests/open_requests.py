"""Reads from the graph the verification requests that wait, and what became of them so far."""

from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from datetime import datetime

from a2ap.times import format_instant
from graph.log.state_loader import Reads
from graph.requests.offers import OpenRequest, People, Standing, Verdict, may_be_offered, micros_of, wants_more
from graph.store import Row

_PAGE = 200


async def requests_for(
    reads: Reads, agent_id: str, criteria: Sequence[str], now: datetime, most: int
) -> list[OpenRequest]:
    """Return the requests that are offered to a verifier for these criteria, oldest first, `most` of them."""
    found: list[OpenRequest] = []
    async for rows in _pages(reads, criteria, now):
        page = [OpenRequest.from_row(row) for row in rows]
        standings, people = await _standings(reads, page, now, agent_id)
        found += [
            request for request in page if may_be_offered(request, agent_id, standings[request.signed_hash], people)
        ]
        if len(found) >= most:
            break
    return found[:most]


async def standings_of(reads: Reads, requests: Sequence[OpenRequest], now: datetime) -> dict[str, Standing]:
    """Return what became of each of these requests so far, by signed hash."""
    hashes = [request.signed_hash for request in requests]
    by_hash = {request.signed_hash: request for request in requests}
    answered, declined, leased = (defaultdict[str, set[str]](set) for _ in range(3))
    if not hashes:
        return {}
    for row in await reads.read("answers_to_requests", hashes=hashes):
        verdict = Verdict(row["agent_id"], row["log_index"], row["request_hash"], tuple(row["criteria"]), row["binds"])
        if verdict.answers(by_hash[row["request"]]):
            answered[row["request"]].add(row["agent_id"])
    for row in await reads.read("declines_of", hashes=hashes):
        declined[row["request"]].add(row["agent_id"])
    for row in await reads.read("leases_on", hashes=hashes, now=micros_of(now)):
        leased[row["request"]].add(row["agent_id"])
    return {
        name: Standing(frozenset(answered[name]), frozenset(declined[name]), frozenset(leased[name])) for name in hashes
    }


async def open_request_rows(
    reads: Reads, criteria: Sequence[str], now: datetime, *, after: int, first: int
) -> list[Row]:
    """Return rows of requests after a place in the log that want more verdicts than they have, oldest first."""
    found: list[Row] = []
    async for rows in _pages(reads, criteria, now, after):
        requests = [OpenRequest.from_row(row) for row in rows]
        standings = await standings_of(reads, requests, now)
        for row, request in zip(rows, requests, strict=True):
            if wants_more(request, len(standings[request.signed_hash].answered)):
                found.append(row)
        if len(found) >= first:
            break
    return found[:first]


async def _pages(reads: Reads, criteria: Sequence[str], now: datetime, after: int = -1) -> AsyncIterator[list[Row]]:
    while True:
        rows = await reads.read(
            "open_requests", after=after, first=_PAGE, now=format_instant(now), criteria=list(criteria)
        )
        if not rows:
            return
        after = rows[-1]["log_index"]
        yield rows


async def _standings(
    reads: Reads, requests: Sequence[OpenRequest], now: datetime, agent_id: str
) -> tuple[dict[str, Standing], People]:
    standings = await standings_of(reads, requests, now)
    agents = {agent_id, *(request.author for request in requests)}
    for standing in standings.values():
        agents |= standing.places_taken
    return standings, await people_of(reads, sorted(agents))


async def people_of(reads: Reads, agents: Sequence[str]) -> People:
    """Return who endorsed these agents, and the seeds of the policy in force."""
    endorsers = defaultdict[str, set[str]](set)
    for row in await reads.read("endorsers_of", ids=list(agents)):
        endorsers[row["agent_id"]].add(row["operator"])
    seeds = frozenset(seed for policy in await reads.read("current_policy") for seed in policy["seeds"])
    return People({agent: frozenset(own) for agent, own in endorsers.items()}, seeds)
