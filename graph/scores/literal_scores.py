"""Caches scores by A2AP §4.3 and §6.3, which feed each other, so that they depend on the order of the verdicts.

Therefore a batch is scored verdict by verdict, in log order, and a policy rescores everything in its own transaction.
"""

from collections.abc import Collection, Sequence, Set

from a2ap.log.entry import LogEntry
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.policy import Policy
from a2ap.messages.retraction import Retraction
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict, VerificationResponse
from graph.database.pages import pages_of
from graph.scores.cached_scores import write_scores
from graph.scores.recomputation import rescore_next
from graph.scoring.judged import PAGE, judged_hashes
from graph.scoring.judgements import judged_statements, policy_of
from graph.scoring.reputation import compute_literal_reputation
from graph.scoring.votes import ConsensusPolicy
from graph.store import Transaction


async def rescore_in_order(
    transaction: Transaction,
    accepted: Sequence[tuple[Message, LogEntry]],
    policy: ConsensusPolicy,
    hashes: Set[str],
) -> None:
    """Apply A2AP §4.3, then §6.3, for each verdict on `hashes`, one after the other as in the specification.

    Each verdict is scored with the verdicts up to its own log index, even if one transaction writes many. After a
    revocation or a retraction all of `hashes` are scored again, after a revision the revised statement.
    """
    for message, entry in accepted:
        if isinstance(message, Policy):
            await _finish_under_policy_before(transaction, entry.log_index)
            async for page in judged_hashes(transaction):
                await _score_literally(transaction, page, policy, entry.log_index)
        for page in pages_of(sorted(_touched(message, hashes)), PAGE):
            await _score_literally(transaction, page, policy, entry.log_index)


def _touched(message: Message, hashes: Set[str]) -> Collection[str]:
    """Return the statements that are scored again for a message, which is no policy."""
    match message:
        case VerificationResponse():
            return hashes & {message.target_hash}
        case KeyRevocation() | Retraction():
            return hashes
        case ProvenanceStatement() if message.was_revision_of is not None:
            return hashes & {message.was_revision_of.target_hash}
        case _:
            return ()


async def _finish_under_policy_before(transaction: Transaction, log_index: int) -> None:
    """Finish the rescoring under the previous policy: later scores build on it, here and in a rebuild."""
    for row in await transaction.run("policy_before", log_index=log_index):
        while await rescore_next(transaction, policy=policy_of(row)):
            pass


async def _score_literally(
    transaction: Transaction, hashes: Sequence[str], policy: ConsensusPolicy, up_to: int
) -> None:
    statements = [
        statement for statement in await judged_statements(transaction, hashes, up_to) if not statement.only_machine
    ]
    if not statements:
        return
    await write_scores(transaction, {statement.signed_hash: statement.consensus(policy) for statement in statements})
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
