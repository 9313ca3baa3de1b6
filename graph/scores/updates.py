"""Brings the cached scores of statements and agents up to date with the verdicts in the graph.

Scores are derived: a function of the verdicts, endorsements and policy in the log, and of nothing else, so that a
rebuild gives the same. By default a statement's score rests on the last epoch's estimates of its verifiers. All
statements that a batch touches are therefore scored once, and all statements, page by page, when an epoch or a policy
arrives (`graph.scores.recomputation`). Under the policy method `a2ap-0.1` consensus and reputation feed each other, and
the result depends on the order: the batch is then scored verdict by verdict, in log order.
"""

from collections.abc import Sequence

from a2ap.log.entry import LogEntry
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.epoch import Epoch
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.policy import Policy
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_response import VerificationResponse
from graph.database.pages import pages_of
from graph.gold.following import follow_gold
from graph.keys.trust import apply_revocations
from graph.retention.retractions import take_back
from graph.scores.cached_scores import score_statements
from graph.scores.literal_scores import rescore_in_order
from graph.scores.recomputation import begin_rescoring
from graph.scoring.consensus import ConsensusMethod
from graph.scoring.judgements import policy_in_force
from graph.store import Transaction
from graph.versions.reputations import families_changed, rescore_families

_PAGE = 500

Accepted = Sequence[tuple[Message, LogEntry]]


async def rescore(transaction: Transaction, accepted: Accepted, node_agent: str) -> None:
    """Score everything again that the accepted messages affect; new statements without verdicts cost nothing."""
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
    everything = any(changes_everything(message) for message, _ in accepted)
    declined = {message.target_hash for message, _ in accepted if isinstance(message, VerificationDecline)}
    if not (hashes or endorsed or families or everything or declined):
        return
    policy = await policy_in_force(transaction)
    if policy.draw is not None:
        hashes |= declined
    if policy.method == ConsensusMethod.LITERAL:
        await rescore_in_order(transaction, accepted, policy, hashes)
        return
    if everything:
        await begin_rescoring(transaction)
        return
    if endorsed:
        touched = await transaction.run("statements_touched_by_agent", ids=endorsed)
        if policy.draw is not None:
            # The decline of an agent counts for its operator, and moves the draws.
            touched += await transaction.run("statements_declined_by", ids=endorsed)
        hashes |= {row["signed_hash"] for row in touched}
    for page in pages_of(sorted(hashes), _PAGE):
        await score_statements(transaction, page, policy)
    if families:
        await rescore_families(transaction, families)


def changes_everything(message: Message) -> bool:
    """Return whether this message changes all scores: a policy, or the message that completes an epoch's table."""
    return isinstance(message, Policy) or (isinstance(message, Epoch) and message.is_last)


async def _newly_endorsed(transaction: Transaction, accepted: Accepted) -> list[str]:
    """Return the agents that gained another operator; a repeated endorsement changes nothing."""
    endorsements = {entry.log_index: message for message, entry in accepted if isinstance(message, Endorsement)}
    agents = sorted({message.endorsed_agent for message in endorsements.values()})
    if not agents:
        return []
    rows = await transaction.run("endorsers_of", ids=agents)
    return sorted({row["agent_id"] for row in rows if row["log_index"] in endorsements})


async def _newly_conflicted(transaction: Transaction, accepted: Accepted) -> set[str]:
    """Return the statements that their verdicts carried until a twin arrived, which only a peer can bring."""
    ids = {m.envelope.id for m, entry in accepted if isinstance(m, ProvenanceStatement) and entry.peer_origin}
    if not ids:
        return set()
    return {row["signed_hash"] for row in await transaction.run("conflicted_of", ids=sorted(ids))}


def _judged_by(accepted: Accepted, node_agent: str) -> set[str]:
    """Return the statements whose scores verdicts may change; the machine's first check of a statement changes none."""
    new = {entry.signed_hash for message, entry in accepted if isinstance(message, ProvenanceStatement)}
    return {
        message.target_hash
        for message, entry in accepted
        if isinstance(message, VerificationResponse)
        and message.target_hash is not None
        and (entry.agent != node_agent or message.target_hash not in new)
    }
