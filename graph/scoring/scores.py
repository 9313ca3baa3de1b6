"""Brings the cached scores of statements and agents up to date with the verdicts in the graph.

Scores are derived: a function of the verdicts, endorsements and policy in the log, and of nothing else, so that
a rebuild gives the same. By default a statement's score rests on what the last epoch says of its
verifiers, so all statements that a batch touches are scored once, and all that there are when an epoch or a policy
comes. Under the policy method `a2ap-0.1` consensus and reputation feed each other, and what comes out depends on the
order: the batch is then scored verdict by verdict, in log order.
"""

from collections import Counter
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from typing import Any

from a2ap.endorsement import Endorsement
from a2ap.epoch import Epoch
from a2ap.key_revocation import KeyRevocation
from a2ap.log.entry import LogEntry
from a2ap.message import Message
from a2ap.policy import Policy
from a2ap.retraction import Retraction
from a2ap.statement import ProvenanceStatement
from a2ap.verification_response import Verdict, VerificationResponse
from graph.disputes.settling import settle
from graph.gold.following import follow_gold
from graph.keys.trust import apply_revocations
from graph.retention.retractions import take_back
from graph.scoring.consensus import Consensus, ConsensusMethod, ConsensusPolicy
from graph.scoring.judgements import JudgedStatement, judged_statements, policy_in_force
from graph.scoring.knowledge import accuracies_of
from graph.scoring.reputation import compute_literal_reputation, label_verdicts
from graph.store import Transaction
from graph.versions.reputations import families_changed, reputation_rows, rescore_families

_PAGE = 500

Accepted = Sequence[tuple[Message, LogEntry]]


async def rescore(transaction: Transaction, accepted: Accepted, node_agent: str) -> None:
    """Score again whatever the accepted messages have an effect on; new statements without verdicts cost nothing."""
    hashes = _judged_by(accepted, node_agent)
    endorsed = await _newly_endorsed(transaction, accepted)
    hashes |= await take_back(transaction, accepted)
    hashes |= await _newly_conflicted(transaction, accepted)
    hashes |= await follow_gold(transaction, accepted)
    revoked = sorted({message.agent for message, _ in accepted if isinstance(message, KeyRevocation)})
    if revoked:
        change = await apply_revocations(transaction, revoked)
        hashes |= change.statements
        endorsed = sorted({*endorsed, *change.endorsed})
    families = await families_changed(transaction, accepted, revoked)
    everything = any(_changes_everything(message) for message, _ in accepted)
    if not (hashes or endorsed or families or everything):
        return
    policy = await policy_in_force(transaction)
    if policy.method == ConsensusMethod.LITERAL:
        await _rescore_in_order(transaction, accepted, policy, hashes)
        return
    if everything:
        async for page in _all_judged(transaction):
            await _score_statements(transaction, page, policy)
        await _reset_reputations(transaction, policy)
        return
    if endorsed:
        touched = await transaction.run("statements_touched_by_agent", ids=endorsed)
        hashes |= {row["signed_hash"] for row in touched}
    for page in _pages(hashes):
        await _score_statements(transaction, page, policy)
    if families:
        await rescore_families(transaction, families)


def _pages(hashes: Collection[str]) -> Iterable[list[str]]:
    ordered = sorted(hashes)
    return (ordered[start : start + _PAGE] for start in range(0, len(ordered), _PAGE))


async def _newly_endorsed(transaction: Transaction, accepted: Accepted) -> list[str]:
    """Return the agents that got another operator; who endorses an agent again changes nothing."""
    endorsements = {entry.log_index: message for message, entry in accepted if isinstance(message, Endorsement)}
    agents = sorted({message.endorsed_agent for message in endorsements.values()})
    if not agents:
        return []
    rows = await transaction.run("endorsers_of", ids=agents)
    return sorted({row["agent_id"] for row in rows if row["log_index"] in endorsements})


async def _newly_conflicted(transaction: Transaction, accepted: Accepted) -> set[str]:
    """Return the statements that their verdicts carried until a twin of theirs came, which only a peer can bring."""
    ids = {m.envelope.id for m, entry in accepted if isinstance(m, ProvenanceStatement) and entry.peer_origin}
    if not ids:
        return set()
    return {row["signed_hash"] for row in await transaction.run("conflicted_of", ids=sorted(ids))}


async def _score_statements(transaction: Transaction, hashes: Sequence[str], policy: ConsensusPolicy) -> None:
    """Write consensus, labels and reputations that the verdicts on these statements give by the default method."""
    known = policy if policy.method == ConsensusMethod.POSTERIOR else None
    statements = await judged_statements(transaction, hashes, policy=known)
    scores, labels = [], []
    found: dict[str, Consensus] = {}
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for statement in statements:
        if statement.only_machine:
            continue
        found[statement.signed_hash] = consensus = statement.consensus(policy)
        scores.append(_score_row(statement.signed_hash, consensus.score, consensus.verified))
        for verification, verifier, before, after in _relabelled(statement, policy):
            labels.append({"signed_hash": verification, "label": after})
            right[verifier] += (after == "RIGHT") - (before == "RIGHT")
            wrong[verifier] += (after == "WRONG") - (before == "WRONG")
    if scores:
        await transaction.run("write_scores", rows=scores)
        await settle(transaction, found)
    if labels:
        await transaction.run("write_labels", rows=labels)
    agents = sorted(agent for agent in right.keys() | wrong.keys() if right[agent] or wrong[agent])
    if agents:
        counters = await transaction.run("counters_of", ids=agents)
        changed = [_counters(row, right, wrong) for row in counters]
        await transaction.run("write_reputations", rows=await reputation_rows(transaction, changed))


def _relabelled(
    statement: JudgedStatement, policy: ConsensusPolicy
) -> Iterable[tuple[str, str, str | None, str | None]]:
    """Yield (verification, verifier, label before, label after) where they differ.

    A verifier has one label a statement: its latest verdict carries it.
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


def _score_row(signed_hash: str, score: float, verified: bool) -> dict[str, Any]:
    return {"signed_hash": signed_hash, "consensus_score": score, "verified": verified}


def _counters(row: dict[str, Any], right: Counter[str], wrong: Counter[str]) -> dict[str, Any]:
    agent = row["agent_id"]
    return {
        **row,
        "verdicts_right": row["verdicts_right"] + right[agent],
        "verdicts_wrong": row["verdicts_wrong"] + wrong[agent],
    }


def _changes_everything(message: Message) -> bool:
    return isinstance(message, Policy) or (isinstance(message, Epoch) and message.is_last)


async def _reset_reputations(transaction: Transaction, policy: ConsensusPolicy) -> None:
    """Give every agent the reputation that it has under this policy, and as the last epoch estimates it.

    Under the policy before, another method may have set it.
    """
    after = ""
    while page := await transaction.run("agents_counted", after=after, first=_PAGE):
        after = page[-1]["agent_id"]
        page = await _with_accuracies(transaction, page, policy)
        before = {row["agent_id"]: row["reputation"] for row in page}
        rows = [row for row in await reputation_rows(transaction, page) if row["agent_id"] in before]
        changed = [row for row in rows if row["reputation"] != before[row["agent_id"]]]
        if changed:
            await transaction.run("write_reputations", rows=changed)


async def _with_accuracies(
    transaction: Transaction, page: Sequence[dict[str, Any]], policy: ConsensusPolicy
) -> list[dict[str, Any]]:
    """Cache what the last epoch says of these agents; a policy of another method knows no epochs."""
    found: dict[str, float] = {}
    if policy.method == ConsensusMethod.POSTERIOR:
        found = await accuracies_of(transaction, [row["agent_id"] for row in page], policy.criteria)
    rows = [{**row, "estimated_accuracy": found.get(row["agent_id"])} for row in page]
    before = {row["agent_id"]: row["estimated_accuracy"] for row in page}
    changed = [row for row in rows if row["estimated_accuracy"] != before[row["agent_id"]]]
    if changed:
        await transaction.run("write_accuracies", rows=changed)
    return rows


async def _rescore_in_order(
    transaction: Transaction, accepted: Accepted, policy: ConsensusPolicy, hashes: Collection[str]
) -> None:
    """A2AP §4.3 then §6.3 for each verdict on `hashes`, as the specification's operations do one after the other.

    Each sees the verdicts up to its own place in the log, however many are written in one transaction.
    """
    for message, entry in accepted:
        if isinstance(message, VerificationResponse) and message.target_hash and message.target_hash in hashes:
            await _score_literally(transaction, [message.target_hash], policy, entry.log_index)
        elif isinstance(message, Policy):
            async for page in _all_judged(transaction):
                await _score_literally(transaction, page, policy, entry.log_index)
        elif isinstance(message, KeyRevocation | Retraction) or _revises(message):
            for page in _pages(hashes):
                await _score_literally(transaction, page, policy, entry.log_index)


def _revises(message: Message) -> bool:
    return isinstance(message, ProvenanceStatement) and message.was_revision_of is not None


async def _score_literally(
    transaction: Transaction, hashes: Sequence[str], policy: ConsensusPolicy, up_to: int
) -> None:
    statements = [
        statement for statement in await judged_statements(transaction, hashes, up_to) if not statement.only_machine
    ]
    if not statements:
        return
    scores = []
    found: dict[str, Consensus] = {}
    for statement in statements:
        found[statement.signed_hash] = consensus = statement.consensus(policy)
        scores.append(_score_row(statement.signed_hash, consensus.score, consensus.verified))
    await transaction.run("write_scores", rows=scores)
    await settle(transaction, found)
    verifiers = sorted({judgement.verifier for s in statements for judgement in s.judgements if not judgement.machine})
    previous = {judgement.verifier: judgement.reputation for s in statements for judgement in s.judgements}
    verdicts: dict[str, list[tuple[Verdict, float | None]]] = {agent: [] for agent in verifiers}
    for row in await transaction.run("literal_judgements_of_agents", ids=verifiers, up_to=up_to):
        verdicts[row["agent_id"]].append((Verdict(row["verdict"]), row["consensus_score"]))
    counters = {row["agent_id"]: row for row in await transaction.run("counters_of", ids=verifiers)}
    await transaction.run(
        "write_reputations",
        rows=[
            {
                **counters[agent],
                "reputation": compute_literal_reputation(verdicts[agent], previous[agent]).value,
            }
            for agent in verifiers
        ],
    )


async def _all_judged(transaction: Transaction) -> AsyncIterator[list[str]]:
    after = ""
    while True:
        rows = await transaction.run("statements_judged", after=after, first=_PAGE)
        if not rows:
            return
        after = rows[-1]["signed_hash"]
        yield [row["signed_hash"] for row in rows]


def _judged_by(accepted: Accepted, node_agent: str) -> set[str]:
    """Return the statements whose scores verdicts may change: the machine's first look at one changes none."""
    new = {entry.signed_hash for message, entry in accepted if isinstance(message, ProvenanceStatement)}
    return {
        message.target_hash
        for message, entry in accepted
        if isinstance(message, VerificationResponse)
        and message.target_hash is not None
        and (entry.agent != node_agent or message.target_hash not in new)
    }
