"""Notes which verification requests still wait, in the transaction that changes it.

Rules:

1. A request waits until as many operators as it wants have answered it, or all whom it waits for, or its statement is
   retracted or revised. Its deadline ends it by itself: `open_until` is the deadline, and indexes find only what has
   not passed.
2. An operator is a seed of the policy: an agent counts for the one that it is, or for the least of those that endorsed
   it, as in scores. Verdicts of strangers, and of the author's own operator, end no request.
3. Whether a request waits, and who has answered one that does, is a function of the log. It is worked out anew when
   something comes that can change it: a verdict, a retraction or revision, an endorsement, a revocation, a policy.
   Verdicts on requests that wait no longer open none, so they are not followed, and nothing is kept of who answered.
"""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from a2ap.endorsement import Endorsement
from a2ap.key_revocation import KeyRevocation
from a2ap.log.entry import LogEntry
from a2ap.message import Message, MessageType
from a2ap.policy import Policy
from a2ap.retraction import Retraction
from a2ap.statement import ProvenanceStatement
from a2ap.times import format_instant
from a2ap.verification_request import VerificationRequest
from a2ap.verification_response import VerificationResponse
from graph.log.state_loader import InTransaction, Reads
from graph.requests.offers import OpenRequest, People, Verdict, operators_taking_places, wants_more
from graph.requests.people import newly_answered_for, people_of, seeds_of
from graph.requests.waiting import NOT_OPEN, open_columns
from graph.store import Transaction

_PAGE = 200


@dataclass(slots=True)
class _Touched:
    """What the messages of a batch may change, by what they name."""

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
    for page in _pages(found):
        await _settle(transaction, reads, [name for _, name in page])
    if touched.policy is not None:
        await _follow_policy(transaction, reads, touched.policy)


async def _follow_policy(transaction: Transaction, reads: Reads, entry: LogEntry) -> None:
    """Note which requests wait under a policy that names other seeds; one of which the deadline has passed stays."""
    before = await reads.read("policy_before", log_index=entry.log_index)
    if {seed for row in before for seed in row["seeds"]} == await seeds_of(reads):
        return
    after, now = "", format_instant(entry.received_at)
    while rows := await reads.read("requests_wanting", after=after, now=now, first=_PAGE):
        after = rows[-1]["signed_hash"]
        await _settle(transaction, reads, [row["signed_hash"] for row in rows])


async def _found(reads: Reads, touched: _Touched) -> set[tuple[str, str]]:
    """Return the requests that may wait or not because of what was touched, each after its statement."""
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
    found = set[tuple[str, str]]()
    for names, every in ((statements, True), (touched.judged - statements, False)):
        for page in _pages(names):
            rows = await reads.read("requests_on", hashes=page, all=every)
            found |= {(row["statement"], row["signed_hash"]) for row in rows}
    return found


async def _settle(transaction: Transaction, reads: Reads, hashes: Sequence[str]) -> None:
    known = await reads.read("requests_by_hash", hashes=list(hashes))
    requests = [OpenRequest.from_row(row) for row in known]
    counted = [one for one in requests if one.wanted_verdicts is not None or one.eligible_verifiers is not None]
    answered = await answers_to(reads, counted)
    agents = {request.author for request in requests}.union(*answered.values())
    people = await people_of(reads, sorted(agents)) if answered else People({})
    rows = []
    for row, request in zip(known, requests, strict=True):
        standing = _standing(request, row["stands"], answered[request.signed_hash], people)
        if any(row[name] != standing[name] for name in ("open_until", "answered_by")):
            rows.append(standing)
    if rows:
        await transaction.run("write_request_standings", rows=rows)


def _standing(request: OpenRequest, stands: bool, answered: set[str], people: People) -> dict[str, Any]:
    operators = operators_taking_places(request.author, answered, people)
    seeded = sorted(agent for agent in answered if people.operator_of(agent) in operators)
    wanted = request.eligible_verifiers is None or not answered >= set(request.eligible_verifiers)
    waits = stands and wanted and wants_more(request, len(operators))
    columns = {**open_columns(request.agent_id, request.deadline), "answered_by": seeded or None} if waits else NOT_OPEN
    return {"signed_hash": request.signed_hash, **columns}


async def answers_to(reads: Reads, requests: Sequence[OpenRequest]) -> defaultdict[str, set[str]]:
    """Return the agents whose verdicts answer these requests, by signed hash of the request.

    Of others than those whom a request waits for, only those that count for seeds: strangers' change nothing.
    """
    answered, on = defaultdict[str, set[str]](set), defaultdict[str, list[OpenRequest]](list)
    for request in requests:
        on[request.statement].append(request)
    if not on:
        return answered
    seeds = await seeds_of(reads)
    agents = seeds.union(*(request.eligible_verifiers or () for request in requests))
    # Once for each statement, however many requests there are on it.
    for row in await reads.read("answers_on", hashes=sorted(on), seeds=sorted(seeds), agents=sorted(agents)):
        verdict = Verdict(row["agent_id"], row["log_index"], row["request_hash"], tuple(row["criteria"]), row["binds"])
        for request in on[row["statement"]]:
            if verdict.answers(request):
                answered[request.signed_hash].add(verdict.agent_id)
    return answered


_Item = TypeVar("_Item", str, tuple[str, str])


def _pages(items: Collection[_Item]) -> list[list[_Item]]:
    ordered = sorted(items)
    return [ordered[start : start + _PAGE] for start in range(0, len(ordered), _PAGE)]
