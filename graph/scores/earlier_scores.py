"""Computes the scores of statements at an earlier size of the log, as far as the verdicts up to there give them.

Policy, gold and epochs are the present ones, as in a timeline (`graph.scores.on_demand.consensus_over_time`), and so
are retractions since then. The exact graph of that time has to be made from the log (`graph.past`).
"""

import asyncio
from collections.abc import Sequence

from graph.disputes.settling import excluding
from graph.scoring.as_of import has_changed, has_displaced
from graph.scoring.judgements import judged_statements, policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Store


async def scores_then(store: Store, hashes: Sequence[str], size: int) -> dict[str, tuple[float, bool]]:
    """Return (score, verified) of the statements that had verdicts of agents among the first `size` entries."""
    reads = StoreReader(store)
    policy = await policy_in_force(reads)
    judged = [
        statement
        for statement in await judged_statements(reads, hashes, size - 1, policy)
        if not statement.only_machine
    ]
    found = {one.signed_hash: await asyncio.to_thread(one.consensus, policy) for one in judged}
    return {name: (one.score, one.verified) for name, one in (await excluding(reads, found)).items()}


async def may_differ(store: Store, hashes: Sequence[str], size: int, now: int) -> bool:
    """Return whether entries between two sizes, other than verdicts, may have changed scores of these statements."""
    reads = StoreReader(store)
    return await has_changed(reads, size, now) or await has_displaced(reads, hashes, size, now)
