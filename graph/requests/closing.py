"""Notes which verification requests still wait, in the transaction that changes it.

Rules:

1. A request waits until as many operators as it wants have answered it, or all its eligible verifiers have, or its
   statement is retracted or revised. Its deadline ends it by itself: `open_until` is the deadline, and indexes find
   only deadlines that have not passed.
2. An operator is a seed of the policy: an agent counts for the seed that it is, or for the least of the seeds that
   endorsed it, as in scores. Verdicts of strangers, and of the author's own operator, count for no operator.
3. Whether a request waits, and which agents have answered a waiting request, is a function of the log. It is worked out
   anew for each message that can change it: a verdict, a retraction or revision, an endorsement, a revocation, a
   policy. Verdicts on requests that no longer wait reopen none, so they are not followed, and their agents are not
   kept.
4. A policy with other seeds, or other rules for the draw, can change it for all requests: it is followed page by page
   (`graph.requests.resettling`).
5. While operators are drawn, only verdicts of drawn ones end a request that may draw them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from a2ap.log.entry import LogEntry
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message, MessageType
from a2ap.messages.policy import Policy
from a2ap.messages.retraction import Retraction
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from graph.database.pages import pages_of
from graph.requests.people import newly_answered_for
from graph.requests.resettling import begin_resettling
from graph.requests.settling import settle
from graph.scoring.judgements import policy_in_force, policy_of
from graph.scoring.reading import StoreReader
from graph.store import InTransaction, Reads, Row, Transaction

_PAGE = 200


@dataclass(slots=True)
class _Touched:
    """The names through which the messages of a batch may change requests."""

    requests: set[str] = field(default_factory=set)
    judged: set[str] = field(default_factory=set)
    statements: set[str] = field(default_factory=set)
    verdicts: set[str] = field(default_factory=set)
    endorsed: dict[int, str] = field(default_factory=dict)
    revoked: set[str] = field(default_factory=set)
    policy: LogEntry | None = None

    def note(self, message: Message, entry: LogEntry, node_agent: str) -> None:
        """Take note of one message."""
        match message:
            case VerificationRequest():
                self.requests.add(entry.signed_hash)
            case VerificationResponse() if message.target_hash is not None and entry.agent != node_agent:
                self.judged.add(message.target_hash)
            case Retraction() if message.target_type is MessageType.STATEMENT:
                self.statements.add(message.target_hash)
            case Retraction() if message.target_type is MessageType.VERIFICATION_RESPONSE:
                self.verdicts.add(message.target_hash)
            case ProvenanceStatement() if message.was_revision_of is not None:
                self.statements.add(message.was_revision_of.target_hash)
            case Endorsement():
                self.endorsed[entry.log_index] = message.endorsed_agent
            case KeyRevocation():
                self.revoked.add(message.agent)
            case Policy():
                self.policy = self.policy or entry
            case _:
                pass


async def follow_requests(
    transaction: Transaction, accepted: Sequence[tuple[Message, LogEntry]], node_agent: str
) -> None:
    """Note which requests wait once these messages are written; retractions and trust are noted before."""
    touched, reads = _Touched(), InTransaction(transaction)
    for message, entry in accepted:
        touched.note(message, entry, node_agent)
    found = await _found(reads, touched)
    found |= {("", name) for name in touched.requests - {name for _, name in found}}
    for page in pages_of(sorted(found), _PAGE):
        await settle(transaction, reads, [name for _, name in page])
    if touched.policy is not None:
        await _follow_policy(transaction, reads, touched.policy)


async def _follow_policy(transaction: Transaction, reads: Reads, entry: LogEntry) -> None:
    """Have the waiting requests noted under a policy with other rules, one page now and the others later."""
    before = await reads.read("policy_before", log_index=entry.log_index)
    if _rules_in(before) != _rules_in(await reads.read("current_policy")):
        await begin_resettling(transaction)


def _rules_in(policies: Sequence[Row]) -> tuple[frozenset[str], frozenset[tuple[DrawRules | None, tuple[str, ...]]]]:
    """Return the seeds and the rules for the draw of a policy, if there is one."""
    seeds = frozenset(seed for row in policies for seed in row["seeds"])
    draws = frozenset((policy.draw, policy.criteria if policy.draw else ()) for policy in map(policy_of, policies))
    return seeds, draws


async def _found(reads: Reads, touched: _Touched) -> set[tuple[str, str]]:
    """Return the requests that may begin or cease to wait because of these names, as pairs of statement and request."""
    statements, agents = set(touched.statements), await newly_answered_for(reads, touched.endorsed)
    if touched.verdicts:
        rows = await reads.read("targets_of", hashes=sorted(touched.verdicts))
        statements |= {row["statement"] for row in rows}
    if touched.revoked:
        rows = await reads.read("agents_endorsed_by", ids=sorted(touched.revoked))
        agents |= touched.revoked | {row["agent_id"] for row in rows}
    if agents:
        rows = await reads.read("statements_touched_by_agent", ids=sorted(agents))
        statements |= {row["signed_hash"] for row in rows}
        if (await policy_in_force(StoreReader(reads))).draw is not None:
            rows = await reads.read("statements_declined_by", ids=sorted(agents))
            statements |= {row["signed_hash"] for row in rows}
    found = set[tuple[str, str]]()
    for names, every in ((statements, True), (touched.judged - statements, False)):
        for page in pages_of(sorted(names), _PAGE):
            rows = await reads.read("requests_on", hashes=page, all=every)
            found |= {(row["statement"], row["signed_hash"]) for row in rows}
    return found
