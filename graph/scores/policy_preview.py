"""Computes the effect of another policy before it is set: the statements that become verified or are no longer.

The verdicts and reliabilities are as they are now. So is the standing of statements that exclude each other: two that
both reach a lower threshold are both counted, and the policy would verify one of them or neither. Another method or
other criteria would also change the estimates of the next epoch, so only the threshold and the quorum can be tried.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graph.database.running import check_running
from graph.disputes.settling import excluding
from graph.scoring.consensus import Consensus, ConsensusPolicy
from graph.scoring.judged import PAGE, judged_between
from graph.scoring.judgements import JudgedStatement, judged_statements, policy_in_force
from graph.scoring.reading import StoreReader
from graph.store import Store

MOST = 5_000
"""The maximum number of statements of a preview, the newest first."""


@dataclass(frozen=True, slots=True)
class PolicyPreview:
    """The verified statements under the policy in force and under the other values, by signed hash, newest first.

    `statements` are the statements with a verdict of an agent; `is_complete` says whether these are all of the graph.
    """

    policy: ConsensusPolicy
    statements: int
    verified: int
    gained: tuple[str, ...]
    lost: tuple[str, ...]
    is_complete: bool


async def preview_policy(
    store: Store,
    threshold: float | None = None,
    quorum: int | None = None,
    spend: Callable[[int], None] = lambda judgements: None,
) -> PolicyPreview:
    """Return the effect of another threshold or quorum; None is the value in force.

    `spend` receives the number of judgements before each page is weighed; it raises if there are too many.
    """
    reads = StoreReader(store)
    policy = await policy_in_force(reads)
    tried = replace(
        policy,
        threshold=policy.threshold if threshold is None else threshold,
        quorum=policy.quorum if quorum is None else quorum,
    )
    (row,) = await reads.run("statement_count")
    count = row["statements"]
    start, judged, verified = max(count - MOST, 0), 0, 0
    gained: list[str] = []
    lost: list[str] = []
    for end in range(count, start, -PAGE):
        hashes = await judged_between(reads, max(end - PAGE, start), end)
        statements = [one for one in await judged_statements(reads, hashes, policy=policy) if not one.only_machine]
        spend(2 * sum(len(one.judgements) for one in statements))
        now = await _verified(reads, statements, policy)
        then = await _verified(reads, statements, tried)
        judged, verified = judged + len(statements), verified + len(now)
        newest_first = [one.signed_hash for one in reversed(statements)]
        gained += [name for name in newest_first if name in then and name not in now]
        lost += [name for name in newest_first if name in now and name not in then]
    return PolicyPreview(tried, judged, verified, tuple(gained), tuple(lost), start == 0)


async def _verified(reads: StoreReader, statements: Sequence[JudgedStatement], policy: ConsensusPolicy) -> set[str]:
    """Return the statements that a policy verifies, beside the statements that exclude them."""
    found = await asyncio.to_thread(_weighed, statements, policy)
    return {name for name, one in (await excluding(reads, found)).items() if one.verified}


def _weighed(statements: Sequence[JudgedStatement], policy: ConsensusPolicy) -> dict[str, Consensus]:
    found = {}
    for one in statements:
        check_running()
        found[one.signed_hash] = one.consensus(policy)
    return found
