"""Recomputes every cached score after an epoch or a policy, page by page, each page in its own transaction.

The progress is stored in the graph, so that any process can score the next page: another server on the same graph, or
the next start after a crash. Messages written in between are scored by the new epoch and policy at once. The result is
a function of the log, regardless of messages in between; an epoch or policy that arrives meanwhile starts it anew.
"""

import secrets

from graph.scores.cached_scores import reset_reputations, score_statements
from graph.scoring.judged import judged_between
from graph.scoring.judgements import policy_in_force
from graph.scoring.votes import ConsensusPolicy
from graph.store import Store, Transaction

PAGE = 500
"""Maximum number of statements and agents in one transaction."""


async def begin_rescoring(transaction: Transaction) -> None:
    """Record that everything is to be scored again, and score the first page: all of it in a small graph."""
    await transaction.run("begin_rescoring")
    await rescore_next(transaction)


async def rescore_page(store: Store) -> bool:
    """Score the next page in a transaction; return whether more pages are left."""

    async def work(transaction: Transaction) -> bool:
        await transaction.run("lock_log_head", nonce=secrets.token_hex(8))
        return await rescore_next(transaction)

    return await store.write(work)


async def finish_rescoring(store: Store) -> None:
    """Score all remaining pages."""
    if await is_rescoring(store):
        while await rescore_page(store):
            pass


async def is_rescoring(store: Store) -> bool:
    """Return whether some cached scores may belong to an epoch or policy that is no longer in force."""
    return any(row["start"] is not None for row in await store.read("rescoring_left"))


async def rescore_next(transaction: Transaction, policy: ConsensusPolicy | None = None) -> bool:
    """Score the next page of statements and agents, by the policy in force or another; return whether more are left."""
    (left,) = await transaction.run("rescoring_left")
    start, after, statements = left["start"], left["after"], left["statements"]
    if start is None:
        return False
    policy = policy or await policy_in_force(transaction)
    end = min(start + PAGE, statements)
    if start < end:
        judged = await judged_between(transaction, start, end)
        if judged:
            await score_statements(transaction, judged, policy)
    room = PAGE - (end - start)
    agents = await transaction.run("agents_counted", after=after, first=room) if room > 0 else []
    if agents:
        await reset_reputations(transaction, agents, policy)
        after = agents[-1]["agent_id"]
    if len(agents) < room:
        await transaction.run("end_rescoring")
        return False
    await transaction.run("note_rescored", start=end, after=after)
    return True
