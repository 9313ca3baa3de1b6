"""Reads which operators are drawn for the statements of verification requests."""

from collections.abc import Iterable, Mapping

from graph.requests.offers import OpenRequest
from graph.scoring.consensus import NOTHING_REQUESTED, draw_for
from graph.scoring.draw import ALL_ENTRIES, Draw
from graph.scoring.draw_reading import draw_facts_of
from graph.scoring.judgements import operators_of, policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Reads


async def draws_of(reads: Reads, authors: Mapping[str, str]) -> dict[str, Draw]:
    """Return the draws for these statements, given with their authors; those for which nobody is drawn are left out."""
    reader = StoreReader(reads)
    policy = await policy_in_force(reader)
    if policy.draw is None or not authors:
        return {}
    operators = await operators_of(reader, sorted(set(authors.values())))
    facts = await draw_facts_of(reader, list(authors), policy)
    found = {}
    for name, author in authors.items():
        draw = draw_for(author, operators[author], facts.get(name, NOTHING_REQUESTED), policy)
        if draw is not None and draw.request is not None:
            found[name] = draw
    return found


async def are_drawn(reads: Reads) -> bool:
    """Return whether the policy in force draws operators."""
    return (await policy_in_force(StoreReader(reads))).draw is not None


async def draws_for_requests(reads: Reads, requests: Iterable[OpenRequest]) -> dict[str, Draw]:
    """Return the draws for the statements of those of these requests that any verifier may answer, by statement."""
    return await draws_of(reads, {one.statement: one.author for one in requests if one.eligible_verifiers is None})


def is_drawn(operator: str | None, draw: Draw | None, now: int) -> bool:
    """Return whether an operator is drawn at a time in microseconds, or nobody is drawn."""
    return draw is None or operator in draw.drawn_at(ALL_ENTRIES, now)
