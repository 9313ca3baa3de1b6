"""Reads from the graph the requests and declines that draw operators for statements: two queries, for any number."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from a2ap.log.entry import entry_bytes
from a2ap.log.merkle import hash_leaf
from a2ap.times import micros_of
from graph.log.entry import entry_from_row
from graph.scoring.draw import ALL_ENTRIES, Declined, DrawFacts, DrawingRequest
from graph.scoring.knowledge import Reader
from graph.scoring.votes import ConsensusPolicy


async def draw_facts_of(
    reader: Reader, hashes: Sequence[str], policy: ConsensusPolicy, up_to: int | None = None
) -> dict[str, DrawFacts]:
    """Return the facts about the draws for these statements, by hash, as the log has them up to an index.

    Nothing is read for a policy that draws nobody; statements without a request that draws are left out.
    """
    if policy.draw is None or not hashes:
        return {}
    last = ALL_ENTRIES if up_to is None else up_to
    asked = await reader.run(
        "drawing_requests",
        hashes=list(hashes),
        operators=policy.draw.operators,
        criteria=list(policy.criteria),
        up_to=last,
    )
    if not asked:
        return {}
    rows = await reader.run(
        "drawing_declines", hashes=[row["signed_hash"] for row in asked], seeds=sorted(policy.seeds), up_to=last
    )
    operators = defaultdict[tuple[str, int, str, int], set[str]](set)
    for row in rows:
        key = (row["request"], row["log_index"], row["agent_id"], row["received_micros"])
        operators[key] |= {row["operator"]} - {None}
    declines = defaultdict[str, list[Declined]](list)
    for (request, log_index, agent, received), own in sorted(operators.items()):
        declines[request].append(Declined(agent, frozenset(own), log_index, received))
    return {row["statement"]: DrawFacts(_request_of(row), tuple(declines[row["signed_hash"]])) for row in asked}


def _request_of(row: dict[str, Any]) -> DrawingRequest:
    entry = entry_from_row(row)
    return DrawingRequest(hash_leaf(entry_bytes(entry)), entry.log_index, micros_of(entry.received_at))
