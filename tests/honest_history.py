"""Lawful histories of a node: steps that Hypothesis draws, each an act of the operator, an agent or a peer.

A step is a name and three small numbers that choose among what is there: the agent, the target, the manner. A step that
the node refuses is part of the history too: it must leave nothing behind. What a step needs and is not there makes it
do nothing, so that every list of steps is a history and shrinks to the few that matter.
"""

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from builders import (
    SOURCE,
    SOURCE_ID,
    admission_policy_message,
    agent_id,
    agent_key,
    deactivation_message,
    disclosure_redaction_message,
    envelope_of,
    gold_label_message,
    key_registration_message,
    key_revocation_message,
    message_id,
    probe_message,
    reference_to,
    request_message,
    response_message,
    sign,
    sign_as,
    signed_agent_version,
    signed_answer,
    signed_decline,
    signed_endorsement,
    signed_gold_dispute,
    signed_registration,
    signed_retraction,
    signed_source,
    source_redaction_message,
    statement_message,
)
from hypothesis import strategies as st
from key_world import RECOVERY, by_node, registration
from pack_world import pack_submissions
from packet_world import packet_submissions
from passports import line
from peer_simulator import PeerSimulator
from scenario import (
    AUTHOR,
    OPERATOR_A,
    OPERATOR_B,
    STRANGER,
    VERIFIER_A,
    VERIFIER_B,
    pieces,
    signed_node_policy,
    source_of,
)
from test_federation import agree, agreement

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import sha256_digest
from a2ap.errors import A2APError
from a2ap.json_text import write_json
from a2ap.messages.admission_policy import AdmissionMode
from a2ap.messages.evidence import ByteRange, build_segment
from a2ap.messages.finding import FindingStatus
from a2ap.messages.gold_label import Label, RevealedProbe
from a2ap.messages.key_revocation import RevocationReason
from a2ap.messages.message import read_message
from a2ap.messages.policy import DEFAULT_CRITERIA, ConsensusMethod
from a2ap.messages.possession import possession_mac
from a2ap.messages.probe import commit
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from a2ap.messages.redaction import redacted_bytes
from a2ap.messages.retraction import build_retraction
from a2ap.messages.statement import Reference
from a2ap.messages.verification_response import Verdict
from a2ap.passport.building import write_passport
from a2ap.signing.disclosure import Disclosure, make_disclosure
from graph.errors import GraphError
from graph.federation.here import Here
from graph.federation.pull import pull
from graph.kinds.redaction import remainder_hash
from graph.log.entry import Receipt
from graph.platform import Platform
from graph.retention.redactions import redactions_of
from graph.scores.on_demand import consensus_of_statements
from graph.scoring.consensus import Consensus
from graph.scoring.judged import judged_hashes
from graph.scoring.reading import StoreReader
from graph.services.retention_job import apply_retention
from graph.submission.log_key_rotation import rotate_log_key
from graph.submission.source_recheck import recheck_sources
from graph.submission.submission import Submission

PROBERS = (31, 32)
AGENTS = (AUTHOR, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B, STRANGER, *PROBERS)
VERIFIERS = (VERIFIER_A, VERIFIER_B, STRANGER)
SALT = "c2FsdHNhbHRzYWx0c2FsdA=="
SOURCES = (
    SOURCE,
    b"Minutes. The pool opens in May. The library closes at eight. Nobody objected.",
    "<p>The café owners <b>want</b> outdoor tables.</p>".encode(),
)
PLACES = (
    ((76, 95), (76, 132), (0, 6), (60, 90), (137, 180), (5, 5_000)),
    ((9, 31), (32, 60), (0, 8), (20, 40), (61, 77), (9, 20)),
    ((3, 20), (0, 7), (17, 30), (25, 44), (3, 20), (1, 9)),
)
"""Byte ranges of each source that are cited and erased: some overlap, one goes beyond the end."""
NAMES = (SOURCE_ID, "urn:doc:test:minutes")
BOUNDARIES = (Boundary.PUBLIC, Boundary.PUBLIC, Boundary.INTERNAL, Boundary.CONFIDENTIAL)
RETAINED = (None, None, datetime(2025, 11, 1, tzinfo=UTC), datetime(2400, 1, 1, tzinfo=UTC))

SCORES_EVERY = 10
"""After so many steps the scores are looked at."""

Step = tuple[str, int, int, int]
Act = Callable[["History", int, int, int], Awaitable[None]]


@dataclass(slots=True)
class History:
    """What a history has made so far; `signers` are the keys of agents in use, each with its name.

    `scores` are those that the node published, by size of the log and signed hash of the statement.

    `has_message_as_source` says that the bytes of a document of the log came as those of a source too. A rebuild from
    the log and the stored bytes does not know of it, and takes no source as held that may have come to the log alone.
    """

    platform: Platform
    number: int = 0
    statements: list[bytes] = field(default_factory=list)
    verdicts: list[bytes] = field(default_factory=list)
    requests: list[bytes] = field(default_factory=list)
    labels: list[bytes] = field(default_factory=list)
    disputes: list[bytes] = field(default_factory=list)
    hidden: list[tuple[bytes, Disclosure]] = field(default_factory=list)
    probes: list[tuple[bytes, bytes, Label]] = field(default_factory=list)
    signers: dict[int, tuple[int, str]] = field(default_factory=dict)
    peer: PeerSimulator = field(default_factory=PeerSimulator)
    records: list[str] = field(default_factory=list)
    has_message_as_source: bool = False
    scores: dict[int, dict[str, Consensus]] = field(default_factory=dict)
    taken: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)

    async def begin(self) -> None:
        """Register agents with recovery keys, endorse two verifiers, and set a policy."""
        for number in AGENTS:
            await self.submit("register", registration(number))
        await self.submit("endorse", signed_endorsement(registration(VERIFIER_A), OPERATOR_A))
        await self.submit("endorse", signed_endorsement(registration(VERIFIER_B), OPERATOR_B))
        await self.submit("policy", signed_node_policy(self.platform))

    async def play(self, steps: Sequence[Step]) -> None:
        """Do these steps in order."""
        await self.begin()
        for name, a, b, c in steps:
            self.number += 1
            await STEPS[name](self, a, b, c)
            if self.number % SCORES_EVERY == 0:
                await self.note_scores()
        await self.note_scores()

    async def note_scores(self) -> None:
        """Wait for what the node does in the background, and keep the scores of statements that somebody judged."""
        store = self.platform.store
        await self.platform.finish()
        await self.platform.epochs.settled()
        async for names in judged_hashes(StoreReader(store)):
            for name, consensus in (await consensus_of_statements(store, names)).items():
                assert consensus.log_size is not None
                self.scores.setdefault(consensus.log_size, {})[name] = consensus

    async def submit(self, name: str, document: bytes, clearance: Boundary = STRICTEST) -> bool:
        """Hand in one document; return whether it was taken."""
        (outcome,) = await self.platform.submit_many([document], authenticated=True, clearance=clearance)
        return self.note(name, outcome)

    def note(self, name: str, outcome: Receipt | Exception) -> bool:
        """Count what became of a step. Raises what is no refusal."""
        if isinstance(outcome, Exception):
            if not isinstance(outcome, A2APError | GraphError):
                raise outcome
            self.refused[name] += 1
            return False
        self.taken[name] += 1
        return True

    def sign(self, message: dict[str, Any], seed: int) -> bytes:
        """Sign with the agent's key that is in use."""
        key, name = self.signers.get(seed, (seed, "key-1"))
        return sign_as(message, agent_key(key), f"{agent_id(seed)}#{name}")

    def by_node(self, message: dict[str, Any]) -> bytes:
        """Sign as the node."""
        return by_node(self.platform, message)

    @property
    def node(self) -> str:
        """The agent of the node."""
        return self.platform.node.agent_id

    @property
    def time(self) -> datetime:
        """A time that grows with the steps."""
        return datetime(2025, 10, 15, tzinfo=UTC) + timedelta(minutes=self.number)


def one(items: Any, number: int) -> Any:
    """Return one of the items, None where there is none."""
    return items[number % len(items)] if items else None


async def add_source(h: History, a: int, b: int, c: int) -> None:
    await h.submit(
        "source",
        signed_source(
            one(AGENTS[:6], a // 2),
            source=one(SOURCES, a),
            source_id=one(NAMES, b),
            boundary=one(BOUNDARIES, c),
            retain_until=one(RETAINED, b + c),
        ),
    )


async def put_source(h: History, a: int, b: int, c: int) -> None:
    source = one(SOURCES, a)
    try:
        least = one((None, Boundary.PUBLIC), c)
        await h.platform.sources.put(sha256_digest(source), pieces(source, 1 + 50 * b), boundary=least)
        h.taken["put"] += 1
    except GraphError:
        h.refused["put"] += 1


async def add_source_with_bytes(h: History, a: int, b: int, c: int) -> None:
    await add_source(h, a, b, 0)
    await put_source(h, a, b, c)


async def prove_source(h: History, a: int, b: int, c: int) -> None:
    """Register a source with a proof of possession, together with its bytes."""
    source, seed = one(SOURCES, a), one(AGENTS[:6], b)
    message = json.loads(
        signed_source(
            seed,
            source=source,
            source_id=one(NAMES, b),
            boundary=one(BOUNDARIES, c),
            possession_mac=possession_mac(agent_id(seed), source),
        )
    )
    del message["signature"]
    registration = source_of(h.sign(message, seed))
    try:
        receipt, _ = await h.platform.sources.add(registration, pieces(source))
    except (A2APError, GraphError) as error:
        h.note("proof", error)
    else:
        h.note("proof", receipt)


async def register_message_as_source(h: History, a: int, b: int, c: int) -> None:
    """Register the bytes of a document of the log, or of a record, as a source, and hand them in."""
    source = one(h.statements, a)
    if source is not None:
        await h.submit("message as source", signed_source(AUTHOR, source=source, source_id=one(NAMES, b)))
        if c % 2:
            try:
                await h.platform.sources.put(sha256_digest(source), pieces(source))
                h.has_message_as_source = True
            except GraphError:
                h.refused["message as source"] += 1


def evidence_of(h: History, a: int, b: int, c: int) -> tuple[dict[str, Any], list[Disclosure]]:
    """Return a segment that cites a source in one of several ways, and what it discloses."""
    source = one(SOURCES, a)
    start, end = one(PLACES[a % len(SOURCES)], b)
    content = source[start:end]
    quote: Any = content.decode(errors="replace") or "nothing"
    style = c % 6
    disclosures = []
    if style == 3:
        quote = make_disclosure(quote, bytes([h.number % 250]) * 16)
        disclosures = [quote]
    segment = build_segment(
        one(NAMES, c),
        start,
        end,
        document_hash=None if style == 2 else sha256_digest(source),
        content_hash=None if style in (1, 2) else sha256_digest(content),
        quote=None if style in (1, 4) else quote,
    )
    return segment, disclosures


async def state(h: History, a: int, b: int, c: int, **changes: Any) -> bytes | None:
    author = one((AUTHOR, STRANGER, *PROBERS, VERIFIER_A), a + c)
    evidence, disclosures = evidence_of(h, a, b, c)
    segments = [evidence]
    if c % 3 == 2:
        second, more = evidence_of(h, a + 1, b + 1, c + 1)
        segments.append(second)
        disclosures = [*disclosures, *more]
    message = statement_message(
        author,
        claim=f"The limit is {a % 3} feet.",
        evidence=segments,
        disclosures=disclosures,
        statement_id=message_id("statement", h.number, a, b, c),
        time=h.time,
        **changes,
    )
    document = h.sign(message, author)
    clearance = Boundary.PUBLIC if b % 4 == 3 else STRICTEST
    if not await h.submit("statement", document, clearance):
        return None
    h.statements.append(document)
    h.hidden += [(document, disclosure) for disclosure in disclosures]
    return document


async def state_about(h: History, a: int, b: int, c: int) -> None:
    other = one(h.statements, a)
    if other is not None:
        reference: Reference = reference_to(other)
        name = one(("supports", "contradicts"), b)
        await state(h, b, c, a, **{name: [reference]})


async def revise(h: History, a: int, b: int, c: int) -> None:
    other = one(h.statements, a)
    if other is not None:
        await state(h, a, b, c, was_revision_of=reference_to(other))


async def judge(h: History, a: int, b: int, c: int) -> None:
    statement = one(h.statements, a)
    if statement is None:
        return
    verifier = one((*VERIFIERS, AUTHOR, OPERATOR_A), b)
    verdict = one((Verdict.VALIDATED, Verdict.VALIDATED, Verdict.CHALLENGED, Verdict.INSUFFICIENT_EVIDENCE), c)
    status = {Verdict.VALIDATED: FindingStatus.PASS, Verdict.CHALLENGED: FindingStatus.FAIL}.get(
        verdict, FindingStatus.INCONCLUSIVE
    )
    disclosure = make_disclosure("It names a person.", bytes([h.number % 250 + 1]) * 16) if c % 3 == 1 else None
    earlier = [one_ for one_ in h.verdicts if envelope_of(one_).agent_id == agent_id(verifier)]
    supersedes = [
        one_ for one_ in earlier if envelope_of(one_).document["targetHash"] == envelope_of(statement).signed_hash
    ]
    request = one(
        [r for r in h.requests if envelope_of(r).document["targetHash"] == envelope_of(statement).signed_hash], b
    )
    document = h.sign(
        response_message(
            statement,
            verifier,
            verdict=verdict,
            status=status,
            confidence=(5 + b % 5) / 10,
            reason=disclosure or "I read it.",
            disclosures=[disclosure] if disclosure else [],
            response_id=message_id("response", h.number, a, b, c),
            time=h.time,
            supersedes=reference_to(supersedes[-1]) if supersedes and c % 2 else None,
            request=reference_to(request) if request and a % 2 else None,
        ),
        verifier,
    )
    if await h.submit("verdict", document):
        h.verdicts.append(document)
        if disclosure:
            h.hidden.append((document, disclosure))


async def judge_by_both(h: History, a: int, b: int, c: int) -> None:
    await judge(h, a, 0, c % 2)
    await judge(h, a, 1, c % 2)


async def ask(h: History, a: int, b: int, c: int) -> None:
    statement = one(h.statements, a)
    if statement is None:
        return
    deadline = h.time + timedelta(days=1 if b % 2 else 900)
    message = request_message(
        statement,
        one((AUTHOR, STRANGER), b),
        number=h.number,
        time=h.time,
        deadline=deadline,
        wanted_verdicts=1 + c % 3,
    )
    document = write_json(message) if c % 4 == 3 else h.sign(message, one((AUTHOR, STRANGER), b))
    if await h.submit("request", document) and c % 4 != 3:
        h.requests.append(document)


async def decline(h: History, a: int, b: int, c: int) -> None:
    request = one(h.requests, a)
    if request is not None:
        await h.submit("decline", signed_decline(request, one(VERIFIERS, b), time=h.time))


async def answer(h: History, a: int, b: int, c: int) -> None:
    verdict = one(h.verdicts, a)
    if verdict is not None:
        await h.submit("answer", signed_answer(verdict, one((AUTHOR, STRANGER), b), time=h.time))


async def redact_passage(h: History, a: int, b: int, c: int) -> None:
    """Erase a range of a source, on top of what is erased already."""
    source = one(SOURCES, a)
    name = sha256_digest(source)
    start, end = one(PLACES[a % len(SOURCES)], b)
    known = (await redactions_of(h.platform.store, [name])).get(name)
    kept = (known[-1].redacted_document_hash if known else None) or name
    left = None
    byte_range = ByteRange(start, end)
    if await h.platform.content.has(kept):
        left = await remainder_hash(h.platform.content, kept, (byte_range,))
    message = source_redaction_message(
        name,
        redacting_agent=h.node,
        byte_ranges=[byte_range],
        redacted_document_hash=left,
        reason=f"asked for at step {h.number}",
        time=h.time,
    )
    await h.submit("redact passage", h.by_node(message))


async def redact_source(h: History, a: int, b: int, c: int) -> None:
    message = source_redaction_message(sha256_digest(one(SOURCES, a)), redacting_agent=h.node, time=h.time)
    await h.submit("redact source", h.by_node(message))


async def redact_disclosure(h: History, a: int, b: int, c: int) -> None:
    hidden = one(h.hidden, a)
    if hidden is None:
        return
    document, disclosure = hidden
    try:
        left = redacted_bytes(document, [disclosure.digest])
    except A2APError:
        return
    message = disclosure_redaction_message(document, [disclosure.digest], left, redacting_agent=h.node, time=h.time)
    await h.submit("redact disclosure", h.by_node(message))


async def retract(h: History, a: int, b: int, c: int) -> None:
    target = one([*h.statements, *h.verdicts, *h.disputes], a)
    if target is not None:
        author = int(envelope_of(target).agent_id.rpartition("-")[2])
        envelope = envelope_of(target)
        message = build_retraction(
            retraction_id=message_id("retraction", h.number),
            retracted_at=h.time,
            retracting_agent=agent_id(author),
            target_message=envelope.id,
            target_type=envelope.type,
            target_hash=envelope.signed_hash,
            reason="It was wrong.",
        )
        await h.submit("retract", h.sign(message, author))


async def withdraw(h: History, a: int, b: int, c: int) -> None:
    label = one(h.labels, a)
    if label is not None:
        envelope = envelope_of(label)
        message = build_retraction(
            retraction_id=message_id("withdrawal", h.number),
            retracted_at=h.time,
            retracting_agent=h.node,
            target_message=envelope.id,
            target_type=envelope.type,
            target_hash=envelope.signed_hash,
        )
        await h.submit("withdraw", h.by_node(message))


async def rotate(h: History, a: int, b: int, c: int) -> None:
    """Give an agent another key, in place of the one in use or beside it."""
    seed = one(AGENTS, a)
    new, name = 1_000 + h.number, f"key-{h.number + 1}"
    old = f"{agent_id(seed)}#{h.signers.get(seed, (seed, 'key-1'))[1]}"
    message = key_registration_message(seed, new, key_name=name, replaces=[old] if b % 2 else [], time=h.time)
    document = sign_as(message, agent_key(seed + RECOVERY)) if c % 2 else h.sign(message, seed)
    if await h.submit("rotate", document):
        h.signers[seed] = (new, name)


async def revoke(h: History, a: int, b: int, c: int) -> None:
    seed = one(AGENTS, a)
    since = [None, h.platform.log.size // 2, h.platform.log.size, h.time - timedelta(days=c)][b % 4]
    by_operator = c % 2 == 0
    message = key_revocation_message(
        seed,
        revoking_agent=h.node if by_operator else None,
        key=f"{agent_id(seed)}#{h.signers.get(seed, (seed, 'key-1'))[1] if c % 3 else 'key-1'}",
        reason=one(tuple(RevocationReason), a + b),
        not_trusted_since=since,
        time=h.time,
    )
    await h.submit("revoke", h.by_node(message) if by_operator else sign_as(message, agent_key(seed + RECOVERY)))


async def deactivate(h: History, a: int, b: int, c: int) -> None:
    seed = one(AGENTS[5:], a)
    message = deactivation_message(seed, deactivating_agent=h.node if b % 2 else None, time=h.time)
    await h.submit("deactivate", h.by_node(message) if b % 2 else h.sign(message, seed))


async def probe(h: History, a: int, b: int, c: int) -> None:
    """Commit to a label, state the probe, and have it judged."""
    prober, label = one(PROBERS, a), one((Label.FAIL, Label.PASS), b)
    evidence, _ = evidence_of(h, b, c, 0)
    message = statement_message(
        prober,
        claim=f"The limit is {a} yards.",
        evidence=[evidence],
        statement_id=message_id("probe", h.number),
        time=h.time,
    )
    statement = h.sign(message, prober)
    digest = commit(SALT, envelope_of(statement).signed_hash, DEFAULT_CRITERIA[0], label)
    committed = h.by_node(probe_message([digest], committing_agent=h.node, time=h.time))
    if await h.submit("probe", committed) and await h.submit("probe", statement):
        h.statements.append(statement)
        h.probes.append((committed, statement, label))
        await judge(h, len(h.statements) - 1, c, a)


async def reveal(h: History, a: int, b: int, c: int) -> None:
    found = one(h.probes, a)
    if found is None:
        return
    committed, statement, label = found
    message = gold_label_message(
        statement,
        label,
        labelling_agent=h.node,
        criterion=DEFAULT_CRITERIA[0],
        probe=RevealedProbe(envelope_of(committed).signed_hash, SALT),
        number=h.number,
        time=h.time,
    )
    document = h.by_node(message)
    if await h.submit("reveal", document):
        h.labels.append(document)


async def label(h: History, a: int, b: int, c: int) -> None:
    statement = one(h.statements, a)
    if statement is None:
        return
    answers = [
        envelope_of(one_).signed_hash
        for one_ in h.disputes
        if any(
            envelope_of(known).signed_hash == envelope_of(one_).document["targetHash"]
            and envelope_of(known).document["targetHash"] == envelope_of(statement).signed_hash
            for known in h.labels
        )
    ]
    message = gold_label_message(
        statement,
        one(tuple(Label), b),
        labelling_agent=h.node,
        criterion=one(DEFAULT_CRITERIA, c if not answers else 0),
        answers=answers if c % 2 else [],
        number=h.number,
        time=h.time,
    )
    document = h.by_node(message)
    if await h.submit("label", document):
        h.labels.append(document)


async def dispute(h: History, a: int, b: int, c: int) -> None:
    found = one(h.labels, a)
    if found is None:
        return
    seed = one((AUTHOR, VERIFIER_A, OPERATOR_A, STRANGER), b)
    evidence = [envelope_of(one(h.statements, c)).signed_hash] if h.statements and c % 2 else []
    document = signed_gold_dispute(found, seed, evidence=evidence, number=h.number, time=h.time)
    if await h.submit("dispute", document):
        h.disputes.append(document)


async def set_policy(h: History, a: int, b: int, c: int) -> None:
    seeds = one(((OPERATOR_A, OPERATOR_B), (OPERATOR_A,), (OPERATOR_B, VERIFIER_A), ()), a)
    document = signed_node_policy(
        h.platform,
        1_000 + h.number,
        seeds=tuple(map(agent_id, seeds)),
        method=one(tuple(ConsensusMethod), b),
        threshold=one((0.6, 0.7, 0.95), c),
        quorum=1 + c % 2,
        **({"epoch_length": 8} if (a + b + c) % 3 == 0 else {}),
    )
    await h.submit("policy", document)


async def endorse(h: History, a: int, b: int, c: int) -> None:
    document = signed_endorsement(
        registration(one(AGENTS, a)),
        one((OPERATOR_A, OPERATOR_B, VERIFIER_A), b),
        time=h.time,
        endorsement_id=message_id("endorsement", h.number) if c % 2 else None,
    )
    await h.submit("endorse", document)


async def admit(h: History, a: int, b: int, c: int) -> None:
    message = admission_policy_message(h.node, mode=one(tuple(AdmissionMode), a), time=h.time)
    await h.submit("admission", h.by_node(message))


async def join(h: History, a: int, b: int, c: int) -> None:
    """A newcomer registers, or an agent joins a family of versions."""
    if a % 2:
        await h.submit("join", registration(40 + b))
    else:
        seed = one(AGENTS, b)
        await h.submit(
            "version", signed_agent_version(registration(seed), seed, family=agent_id(one(AGENTS, c)), time=h.time)
        )


async def pull_from_peer(h: History, a: int, b: int, c: int) -> None:
    """Have the peer log something more, and take it."""
    peer = h.peer
    if not peer.leaves:
        proof = possession_mac(agent_id(1), SOURCE) if c % 2 else None
        peer.add(signed_registration(1), signed_registration(2), signed_source(1, possession_mac=proof))
    made = [
        lambda: sign(
            statement_message(
                1,
                claim="The limit is 2 feet.",
                evidence=[evidence_of(h, b, c, 0)[0]],
                statement_id=message_id("peer", h.number),
                time=h.time,
            ),
            1,
        ),
        lambda: signed_endorsement(signed_registration(2), 1, endorsement_id=message_id("peer", h.number)),
        lambda: one(h.statements, b),
    ]
    document = one(made, a)()
    if document is None:
        return
    peer.add(document)
    if a % 3 == 0:
        peer.add(sign(response_message(document, 2, response_id=message_id("peer verdict", h.number)), 2))
        if c % 2:
            peer.add(signed_retraction(document, 1, number=h.number))
    async with peer.served() as url:
        await agree(h.platform, agreement(peer, url, clearance=one((Boundary.PUBLIC, Boundary.CONFIDENTIAL), c)))
        report = await pull(Here.of(h.platform), peer.origin)
        h.taken["pull"] += report.taken


async def record(h: History, a: int, b: int, c: int) -> None:
    """Register passports, packs, or packets with a return and a disposition; later, state something by one of them."""
    if a % 3 == 0:
        records = [write_passport(found) for found in line(3)]
        for content in records:
            message = build_record_registration(
                registration_id=message_id("record", h.number, sha256_digest(content)),
                registered_at=h.time,
                registering_agent=agent_id(AUTHOR),
                format=RecordFormat.PASSPORT,
                document_hash=sha256_digest(content),
                boundary=one(BOUNDARIES, b),
                possession_mac=possession_mac(agent_id(AUTHOR), content) if c % 2 else None,
            )
            submission = Submission(read_message(h.sign(message, AUTHOR)), blobs=(content,))
            (outcome,) = await h.platform.append([submission])
            if h.note("record", outcome):
                h.records.append(sha256_digest(content))
        return
    statement = one(h.statements, b)
    if a % 3 == 1:
        submissions = pack_submissions(AUTHOR)
    elif statement is not None:
        submissions = packet_submissions(AUTHOR, envelope_of(statement).signed_hash, sha256_digest(SOURCE))
    else:
        return
    for outcome in await h.platform.append(submissions):
        h.note("record", outcome)


async def state_by_record(h: History, a: int, b: int, c: int) -> None:
    name = one(h.records, a)
    if name is not None:
        await state(h, a, b, c, generated_by=[name])


async def redact_record(h: History, a: int, b: int, c: int) -> None:
    name = one(h.records, a)
    if name is not None:
        message = source_redaction_message(name, redacting_agent=h.node, time=h.time)
        await h.submit("redact record", h.by_node(message))


async def recheck(h: History, a: int, b: int, c: int) -> None:
    async for _ in recheck_sources(h.platform.store, h.platform.content, h.platform.sources):
        h.taken["recheck"] += 1


async def retain(h: History, a: int, b: int, c: int) -> None:
    h.taken["retention"] += len(await apply_retention(h.platform, h.time + timedelta(days=60)))


async def rotate_log(h: History, a: int, b: int, c: int) -> None:
    await rotate_log_key(h.platform.node, h.platform.log, h.platform.append, lambda: h.time)
    h.taken["rotate log key"] += 1


async def repeat(h: History, a: int, b: int, c: int) -> None:
    """Send an old document again, or a copy of it in other bytes."""
    document = one([*h.statements, *h.verdicts, *h.labels], a)
    if document is not None:
        await h.submit("repeat", document if b % 2 else json.dumps(json.loads(document)).encode())


STEPS: dict[str, Act] = {
    "source": add_source,
    "put": put_source,
    "source with bytes": add_source_with_bytes,
    "proof": prove_source,
    "message as source": register_message_as_source,
    "statement": state,  # type: ignore[dict-item]  # what it returns is for other steps
    "statement about": state_about,
    "revision": revise,
    "verdict": judge,
    "verdicts of both": judge_by_both,
    "request": ask,
    "decline": decline,
    "answer": answer,
    "redact passage": redact_passage,
    "redact source": redact_source,
    "redact disclosure": redact_disclosure,
    "retract": retract,
    "withdraw": withdraw,
    "rotate": rotate,
    "revoke": revoke,
    "deactivate": deactivate,
    "probe": probe,
    "reveal": reveal,
    "label": label,
    "dispute": dispute,
    "policy": set_policy,
    "endorse": endorse,
    "admission": admit,
    "join": join,
    "pull": pull_from_peer,
    "record": record,
    "statement by record": state_by_record,
    "redact record": redact_record,
    "recheck": recheck,
    "retention": retain,
    "rotate log key": rotate_log,
    "repeat": repeat,
}
OFTEN = (
    "source with bytes",
    "statement",
    "statement",
    "verdict",
    "verdicts of both",
    "redact passage",
    "probe",
    "reveal",
)

numbers = st.integers(0, 11)
steps = st.tuples(st.sampled_from((*STEPS, *OFTEN)), numbers, numbers, numbers)
histories = st.lists(steps, min_size=6, max_size=40)
"""Steps of a history, each as `History.play` takes them."""
