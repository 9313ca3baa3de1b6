"""Works out whether verification requests wait and which agents have answered them, by `graph.requests.closing`."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from graph.kinds.verification_request import NOT_OPEN, open_columns
from graph.requests.drawing import draws_for_requests
from graph.requests.offers import OpenRequest, People, Verdict, operators_taking_places, wants_more
from graph.requests.people import people_of, seeds_of
from graph.scoring.draw import Draw, may_fix_draw
from graph.scoring.judgements import policy_in_force
from graph.scoring.reading import StoreReader
from graph.scoring.votes import ConsensusPolicy
from graph.store import Reads, Transaction


async def settle(transaction: Transaction, reads: Reads, hashes: Sequence[str]) -> None:
    """Note whether these requests wait, and which agents have answered the waiting ones, if that has changed."""
    known = await reads.read("requests_by_hash", hashes=list(hashes))
    requests = [OpenRequest.from_row(row) for row in known]
    counted = [one for one in requests if one.wanted_verdicts is not None or one.eligible_verifiers is not None]
    answered = await answers_to(reads, counted)
    agents = {request.author for request in requests}
    agents |= {verdict.agent_id for verdicts in answered.values() for verdict in verdicts}
    people = await people_of(reads, sorted(agents)) if answered else People({})
    draws = await draws_for_requests(reads, [one for one in counted if answered[one.signed_hash]])
    policy = await policy_in_force(StoreReader(reads)) if draws else ConsensusPolicy()
    rows = []
    for row, request in zip(known, requests, strict=True):
        verdicts = _drawn(request, answered[request.signed_hash], draws.get(request.statement), policy, people)
        standing = _standing(request, row["stands"], {verdict.agent_id for verdict in verdicts}, people)
        if any(row[name] != standing[name] for name in ("open_until", "answered_by")):
            rows.append(standing)
    if rows:
        await transaction.run("write_request_standings", rows=rows)


def _standing(request: OpenRequest, stands: bool, answered: set[str], people: People) -> dict[str, Any]:
    operators = operators_taking_places(request.author, answered, people)
    seeded = sorted(agent for agent in answered if people.operator_of(agent) in operators)
    wanted = request.eligible_verifiers is None or not answered >= set(request.eligible_verifiers)
    waits = stands and wanted and wants_more(request, len(operators))
    columns = {**open_columns(request.agent_id, request.deadline), "answered_by": seeded or None} if waits else NOT_OPEN
    return {"signed_hash": request.signed_hash, **columns}


def _drawn(
    request: OpenRequest, verdicts: set[Verdict], draw: Draw | None, policy: ConsensusPolicy, people: People
) -> set[Verdict]:
    """Return the verdicts that take places: of a request that may draw operators, those of operators drawn for it.

    Otherwise volunteers could take all places, and the drawn ones would not be offered it.
    """
    if draw is None or not may_fix_draw(
        draw.rules,
        policy.criteria,
        criteria=request.criteria,
        wanted_verdicts=request.wanted_verdicts,
        deadline=request.deadline,
        eligible_verifiers=request.eligible_verifiers,
    ):
        return verdicts
    return {
        one
        for one in verdicts
        if (operator := people.operator_of(one.agent_id)) is None
        or operator in draw.drawn_at(one.log_index, one.received)
    }


async def answers_to(reads: Reads, requests: Sequence[OpenRequest]) -> defaultdict[str, set[Verdict]]:
    """Return the verdicts that answer these requests, by signed hash of the request.

    Beside those of eligible verifiers, only verdicts of agents that count for seeds are included: those of strangers
    change nothing.
    """
    answered, on = defaultdict[str, set[Verdict]](set), defaultdict[str, list[OpenRequest]](list)
    for request in requests:
        on[request.statement].append(request)
    if not on:
        return answered
    seeds = await seeds_of(reads)
    agents = seeds.union(*(request.eligible_verifiers or () for request in requests))
    # Once for each statement, however many requests there are on it.
    for row in await reads.read("answers_on", hashes=sorted(on), seeds=sorted(seeds), agents=sorted(agents)):
        verdict = Verdict(
            agent_id=row["agent_id"],
            log_index=row["log_index"],
            request=row["request_hash"],
            criteria=tuple(row["criteria"]),
            binds=row["binds"],
            received=row["received_micros"],
        )
        for request in on[row["statement"]]:
            if verdict.answers(request):
                answered[request.signed_hash].add(verdict)
    return answered
