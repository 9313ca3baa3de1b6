"""Writes the scores cached on statements, the labels of their verdicts, and the resulting reputations of agents.

The written values are a function of the graph, and do not depend on earlier cached values.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from graph.disputes.settling import settle
from graph.scoring.consensus import Consensus, ConsensusMethod, ConsensusPolicy
from graph.scoring.judgements import JudgedStatement, judged_statements
from graph.scoring.knowledge import accuracies_of
from graph.scoring.reputation import label_verdicts
from graph.store import Transaction
from graph.versions.reputations import reputation_rows


async def score_statements(transaction: Transaction, hashes: Sequence[str], policy: ConsensusPolicy) -> None:
    """Write the consensus, labels and reputations that the verdicts on these statements give by the policy's method."""
    known = policy if policy.method == ConsensusMethod.POSTERIOR or policy.draw is not None else None
    statements = await judged_statements(transaction, hashes, policy=known)
    labels = []
    found: dict[str, Consensus] = {}
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for statement in statements:
        if statement.only_machine:
            continue
        found[statement.signed_hash] = statement.consensus(policy)
        for verification, verifier, before, after in _relabelled(statement, policy):
            labels.append({"signed_hash": verification, "label": after})
            right[verifier] += (after == "RIGHT") - (before == "RIGHT")
            wrong[verifier] += (after == "WRONG") - (before == "WRONG")
    await write_scores(transaction, found)
    if labels:
        await transaction.run("write_labels", rows=labels)
    agents = sorted(agent for agent in right.keys() | wrong.keys() if right[agent] or wrong[agent])
    if agents:
        counters = await transaction.run("counters_of", ids=agents)
        changed = [_counters(row, right, wrong) for row in counters]
        await transaction.run("write_reputations", rows=await reputation_rows(transaction, changed))


async def write_scores(transaction: Transaction, found: dict[str, Consensus]) -> None:
    """Cache the consensus on each of these statements, and settle its disputes."""
    if found:
        rows = [
            {"signed_hash": name, "consensus_score": consensus.score, "verified": consensus.verified}
            for name, consensus in found.items()
        ]
        await transaction.run("write_scores", rows=rows)
        await settle(transaction, found)


async def reset_reputations(transaction: Transaction, page: Sequence[dict[str, Any]], policy: ConsensusPolicy) -> None:
    """Write the reputations of these agents, rows of `agents_counted`, under this policy and the last epoch.

    Under the previous policy, another method may have set them.
    """
    page = await _with_accuracies(transaction, page, policy)
    before = {row["agent_id"]: row["reputation"] for row in page}
    rows = [row for row in await reputation_rows(transaction, page) if row["agent_id"] in before]
    changed = [row for row in rows if row["reputation"] != before[row["agent_id"]]]
    if changed:
        await transaction.run("write_reputations", rows=changed)


async def _with_accuracies(
    transaction: Transaction, page: Sequence[dict[str, Any]], policy: ConsensusPolicy
) -> list[dict[str, Any]]:
    """Cache the last epoch's accuracies of these agents, and return their rows with them.

    A policy whose method uses no epochs sets them to None.
    """
    found: dict[str, float] = {}
    if policy.method == ConsensusMethod.POSTERIOR:
        found = await accuracies_of(transaction, [row["agent_id"] for row in page], policy.criteria)
    rows = [{**row, "estimated_accuracy": found.get(row["agent_id"])} for row in page]
    before = {row["agent_id"]: row["estimated_accuracy"] for row in page}
    changed = [row for row in rows if row["estimated_accuracy"] != before[row["agent_id"]]]
    if changed:
        await transaction.run("write_accuracies", rows=changed)
    return rows


def _relabelled(
    statement: JudgedStatement, policy: ConsensusPolicy
) -> Iterable[tuple[str, str, str | None, str | None]]:
    """Yield (verification, verifier, label before, label after) for each label that changes.

    A verifier has one label per statement, on its latest verdict.
    """
    found = label_verdicts(
        statement.judgements,
        author=statement.author,
        author_operators=statement.author_operators,
        gate=statement.gate,
        policy=policy,
    )
    latest = {judgement.verifier: position for position, judgement in enumerate(statement.judgements)}
    for position, judgement in enumerate(statement.judgements):
        label = found.get(judgement.verifier) if latest[judgement.verifier] == position else None
        after = label.value if label is not None else None
        if after != statement.labels[position]:
            yield statement.verifications[position], judgement.verifier, statement.labels[position], after


def _counters(row: dict[str, Any], right: Counter[str], wrong: Counter[str]) -> dict[str, Any]:
    agent = row["agent_id"]
    return {
        **row,
        "verdicts_right": row["verdicts_right"] + right[agent],
        "verdicts_wrong": row["verdicts_wrong"] + wrong[agent],
    }
