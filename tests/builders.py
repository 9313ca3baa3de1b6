"""Signed messages for tests: each function returns the bytes of a document that the platform would accept.

Agents are numbers: agent 1 is `urn:agent:test-1` and holds `agent_key(1)`. Ids of messages are derived from
what they are about, so that the same call gives the same bytes.
"""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.json_text import write_json
from a2ap.messages.admission_policy import AdmissionMode, build_admission_policy
from a2ap.messages.agent_deactivation import build_agent_deactivation
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import build_agent_registration
from a2ap.messages.agent_version import build_agent_version
from a2ap.messages.challenge_answer import build_challenge_answer
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.endorsement import build_endorsement
from a2ap.messages.epoch import CopyEvidence, CriterionModel, Estimate, OperatorRecord, build_epoch
from a2ap.messages.equivocation import build_equivocation
from a2ap.messages.evidence import ByteRange, build_segment
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.gold_dispute import build_gold_dispute
from a2ap.messages.gold_label import Label, RevealedProbe, build_gold_label
from a2ap.messages.key_registration import build_key_registration
from a2ap.messages.key_revocation import RevocationReason, build_key_revocation
from a2ap.messages.lease_request import build_lease_request
from a2ap.messages.log_key_rotation import build_log_key_rotation
from a2ap.messages.message import Envelope, read_message
from a2ap.messages.peer_agreement import PeerQuota, build_peer_agreement
from a2ap.messages.peer_checkpoint import build_peer_checkpoint
from a2ap.messages.policy import DEFAULT_CRITERIA, ConsensusMethod, build_policy
from a2ap.messages.priors import Priors
from a2ap.messages.probe import build_probe
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from a2ap.messages.redaction import build_disclosure_redaction, build_source_redaction
from a2ap.messages.retraction import build_retraction
from a2ap.messages.source_registration import build_source_registration
from a2ap.messages.statement import Reference, build_statement
from a2ap.messages.verification_decline import build_verification_decline
from a2ap.messages.verification_request import build_verification_request
from a2ap.messages.verification_response import Verdict, build_verification_response
from a2ap.signing.disclosure import Disclosure
from a2ap.signing.keys import PublicKey, SigningKey
from a2ap.signing.signature import sign_message

TIME = datetime(2025, 10, 14, 10, 30, tzinfo=UTC)
SOURCE_ID = "urn:doc:test:council-meeting"
SOURCE = (
    "WEBVTT\n\n"
    "00:02:15.400 --> 00:02:18.900\n"
    "The new zoning map keeps the height limit at forty feet.\n\n"
    "00:02:19.000 --> 00:02:24.250\n"
    "We heard from café owners on Elm Street — they want outdoor tables.\n"
).encode()
QUOTE = "The new zoning map keeps the height limit at forty feet."
CLAIM = "The council keeps the height limit at forty feet."


def agent_key(seed: int) -> SigningKey:
    return SigningKey.generate(seed.to_bytes(32, "big"))


def agent_id(seed: int) -> str:
    return f"urn:agent:test-{seed}"


def key_id(seed: int) -> str:
    return f"{agent_id(seed)}#key-1"


def description(seed: int, **changes: Any) -> AgentDescription:
    values: dict[str, Any] = {
        "agent_id": agent_id(seed),
        "name": f"Test agent {seed}",
        "version": "1",
        "publisher": "Test publisher",
        "capabilities": ("reasoning", "provenance-tracking"),
    }
    return AgentDescription(**{**values, **changes})


def message_id(*parts: object) -> str:
    """Return a version-4 id that depends on the parts alone."""
    digest = hashlib.sha256("\0".join(map(str, parts)).encode()).digest()
    return f"urn:uuid:{uuid.UUID(bytes=digest[:16], version=4)}"


def segment(
    quote: str = QUOTE, *, source: bytes = SOURCE, source_id: str = SOURCE_ID, **changes: Any
) -> dict[str, Any]:
    """Return the evidence for a quote that stands in the source, cue times and hashes included."""
    start = source.index(quote.encode())
    end = start + len(quote.encode())
    values: dict[str, Any] = {
        "document_hash": sha256_digest(source),
        "content_hash": sha256_digest(source[start:end]),
        "quote": quote,
        "start_ms": 135_400 if source is SOURCE and quote == QUOTE else None,
        "end_ms": 138_900 if source is SOURCE and quote == QUOTE else None,
        "relevance_score": 0.88,
    }
    return build_segment(source_id, start, end, **{**values, **changes})


def sign(message: Mapping[str, Any], seed: int) -> bytes:
    """Sign a message, as it is, with an agent's registered key."""
    return write_json(sign_message(message, agent_key(seed), key_id(seed)))


def sign_as(message: Mapping[str, Any], key: SigningKey, key_reference: str | None = None) -> bytes:
    """Sign a message with any key; without a reference in the name of its did:key, as a recovery key does."""
    return write_json(sign_message(message, key, key_reference or key.public_key.did_key))


def envelope_of(document: bytes) -> Envelope:
    return read_message(document).envelope


def signed_registration(
    seed: int = 1,
    *,
    agent: AgentDescription | None = None,
    alias: str | None = None,
    time: datetime = TIME,
    recovery_seed: int | None = None,
    log_key: str | None = None,
    invitation: str | None = None,
) -> bytes:
    agent = agent or description(seed)
    message = build_agent_registration(
        registration_id=message_id("registration", agent.agent_id, seed),
        registered_at=time,
        agent=agent,
        key_id=f"{agent.agent_id}#key-1",
        public_key=agent_key(seed).public_key,
        alias=alias,
        recovery_key=None if recovery_seed is None else agent_key(recovery_seed).public_key,
        log_key=log_key,
        invitation=invitation,
    )
    return write_json(sign_message(message, agent_key(seed), f"{agent.agent_id}#key-1"))


def statement_message(
    seed: int = 1,
    *,
    claim: str = CLAIM,
    confidence: float = 0.92,
    evidence: Sequence[Mapping[str, Any]] | None = None,
    generation_method: str | None = "semantic-analysis",
    statement_id: str | None = None,
    time: datetime = TIME,
    supports: Sequence[Reference] = (),
    contradicts: Sequence[Reference] = (),
    was_revision_of: Reference | None = None,
    generated_by: Sequence[str] = (),
    disclosures: Sequence[Disclosure] = (),
) -> dict[str, Any]:
    """Return a statement before it is signed, for tests that alter it."""
    return build_statement(
        generated_at=time,
        agent=description(seed),
        claim=claim,
        confidence=confidence,
        evidence=[segment()] if evidence is None else evidence,
        generation_method=generation_method,
        statement_id=statement_id,
        supports=supports,
        contradicts=contradicts,
        was_revision_of=was_revision_of,
        generated_by=generated_by,
        disclosures=disclosures,
    )


def signed_statement(seed: int = 1, **changes: Any) -> bytes:
    """Return a statement of an agent; `changes` are the arguments of `statement_message`."""
    return sign(statement_message(seed, **changes), seed)


def reference_to(document: bytes) -> Reference:
    """Return the reference by which another statement names this one."""
    envelope = envelope_of(document)
    return Reference(envelope.id, envelope.signed_hash)


def request_message(
    statement: bytes,
    seed: int = 1,
    *,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    bound: bool = True,
    time: datetime = TIME,
    number: int = 1,
    **changes: Any,
) -> dict[str, Any]:
    """Return a request before it is signed; `bound=False` leaves out `targetHash` (A2AP §2.2).

    Another `number` gives another request; `changes` are `deadline`, `wanted_verdicts` and `eligible_verifiers`.
    """
    target = envelope_of(statement)
    parts = ("request", seed, target.signed_hash, *criteria, *([number] if number > 1 else []))
    return build_verification_request(
        request_id=message_id(*parts),
        requested_at=time,
        requesting_agent=agent_id(seed),
        target_statement=target.id,
        target_hash=target.signed_hash if bound else None,
        criteria=criteria,
        **changes,
    )


def signed_request(statement: bytes, seed: int = 1, **changes: Any) -> bytes:
    """Return a request about a signed statement; `changes` are the arguments of `request_message`."""
    return sign(request_message(statement, seed, **changes), seed)


def response_message(
    statement: bytes,
    seed: int = 2,
    *,
    verdict: Verdict = Verdict.VALIDATED,
    confidence: float = 0.89,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    status: FindingStatus | None = None,
    findings: Sequence[Finding | Mapping[str, Any]] | None = None,
    reason: str | Disclosure | None = None,
    bound: bool = True,
    time: datetime = TIME,
    response_id: str | None = None,
    disclosures: Sequence[Disclosure] = (),
    **changes: Any,
) -> dict[str, Any]:
    """Return a response before it is signed; each criterion gets the status that goes with the verdict.

    `changes` are `request`, `supersedes`, `evidence`, `counter_statement` and `cross_references`.
    """
    target = envelope_of(statement)
    if status is None:
        status = FindingStatus.PASS if verdict is Verdict.VALIDATED else FindingStatus.FAIL
    if findings is None:
        findings = [Finding(criterion, status, f"checked {criterion}", confidence) for criterion in criteria]
    return build_verification_response(
        response_id=response_id or message_id("response", seed, target.signed_hash, verdict, confidence),
        responded_at=time,
        responding_agent=agent_id(seed),
        target_statement=target.id,
        target_hash=target.signed_hash if bound else None,
        verdict=verdict,
        confidence=confidence,
        findings=findings,
        reason=reason,
        disclosures=disclosures,
        **changes,
    )


def signed_decline(
    request: bytes, seed: int = 2, *, reason: str = "I do not read this language.", time: datetime = TIME
) -> bytes:
    """Return agent `seed`'s decline of a signed, bound request."""
    envelope = envelope_of(request)
    message = build_verification_decline(
        decline_id=message_id("decline", seed, envelope.signed_hash, reason),
        declined_at=time,
        declining_agent=agent_id(seed),
        request=envelope.id,
        request_hash=envelope.signed_hash,
        target_statement=envelope.document["targetStatement"],
        target_hash=envelope.document["targetHash"],
        reason=reason,
    )
    return sign(message, seed)


def signed_answer(
    challenge: bytes,
    seed: int = 1,
    *,
    text: str = "The source says so in its next sentence.",
    evidence: Sequence[Mapping[str, Any]] = (),
    time: datetime = TIME,
) -> bytes:
    """Return agent `seed`'s answer to a signed verdict."""
    envelope = envelope_of(challenge)
    message = build_challenge_answer(
        answer_id=message_id("answer", seed, envelope.signed_hash, text),
        answered_at=time,
        answering_agent=agent_id(seed),
        target_verification=envelope.id,
        target_hash=envelope.signed_hash,
        text=text,
        evidence=evidence,
    )
    return sign(message, seed)


def pointer_to(quote: str = QUOTE, **changes: Any) -> dict[str, Any]:
    """Return evidence that points at a quote and does not repeat it, as verdicts and answers have it."""
    return {name: value for name, value in segment(quote, **changes).items() if name != "quoteText"}


def signed_lease_request(
    seed: int = 2,
    *,
    number: int = 1,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    time: datetime = TIME,
    audience: str = "urn:agent:test:node",
    **changes: Any,
) -> bytes:
    """Return agent `seed`'s lease request; each `number` gives another. `changes`: `most`, `seconds`, `renews`."""
    message = build_lease_request(
        lease_request_id=message_id("lease request", seed, number),
        requested_at=time,
        leasing_agent=agent_id(seed),
        audience=audience,
        criteria=criteria,
        **changes,
    )
    return sign(message, seed)


def signed_response(statement: bytes, seed: int = 2, **changes: Any) -> bytes:
    """Return a verdict on a signed statement; `changes` are the arguments of `response_message`."""
    return sign(response_message(statement, seed, **changes), seed)


def signed_source(
    seed: int = 1,
    *,
    source: bytes = SOURCE,
    source_id: str = SOURCE_ID,
    boundary: Boundary = Boundary.PUBLIC,
    title: str = "City council meeting",
    publisher: str | None = "City clerk",
    origin: str | None = "https://example.org/meetings/1",
    media_type: str | None = "text/vtt",
    licence: str | None = None,
    rights_holder: str | None = None,
    retain_until: datetime | None = None,
    possession_mac: str | None = None,
    time: datetime = TIME,
) -> bytes:
    message = build_source_registration(
        registration_id=message_id(
            "source",
            seed,
            source_id,
            sha256_digest(source),
            boundary,
            *filter(None, [licence, rights_holder, retain_until, possession_mac]),
        ),
        registered_at=time,
        registering_agent=agent_id(seed),
        source_id=source_id,
        document_hash=sha256_digest(source),
        boundary=boundary,
        title=title,
        publisher=publisher,
        origin=origin,
        media_type=media_type,
        byte_length=len(source),
        licence=licence,
        rights_holder=rights_holder,
        retain_until=retain_until,
        possession_mac=possession_mac,
    )
    return sign(message, seed)


def signed_record(
    seed: int = 1,
    *,
    content: bytes = b"{}",
    format: RecordFormat = RecordFormat.PASSPORT,
    boundary: Boundary = Boundary.PUBLIC,
    possession_mac: str | None = None,
    time: datetime = TIME,
) -> bytes:
    message = build_record_registration(
        registration_id=message_id(
            "record", seed, format, sha256_digest(content), boundary, *filter(None, [possession_mac])
        ),
        registered_at=time,
        registering_agent=agent_id(seed),
        format=format,
        document_hash=sha256_digest(content),
        boundary=boundary,
        possession_mac=possession_mac,
    )
    return sign(message, seed)


def signed_endorsement(
    registration: bytes, seed: int = 9, *, time: datetime = TIME, endorsement_id: str | None = None
) -> bytes:
    """Return agent `seed`'s endorsement of the agent of a signed registration."""
    target = envelope_of(registration)
    message = build_endorsement(
        endorsement_id=endorsement_id or message_id("endorsement", seed, target.signed_hash),
        endorsed_at=time,
        endorsing_agent=agent_id(seed),
        endorsed_agent=target.agent_id,
        target_hash=target.signed_hash,
    )
    return sign(message, seed)


def signed_policy(
    seed: int = 9,
    *,
    threshold: float = 0.7,
    quorum: int = 2,
    seeds: Sequence[str] = (),
    method: ConsensusMethod = ConsensusMethod.QUORUM,
    criteria: Sequence[str] = DEFAULT_CRITERIA,
    unseeded_weight: float = 0.25,
    version: int | None = None,
    epoch_length: int | None = None,
    priors: Priors | None = None,
    draw: DrawRules | None = None,
    time: datetime = TIME,
) -> bytes:
    message = build_policy(
        policy_id=message_id("policy", seed, threshold, quorum, method, *seeds),
        issued_at=time,
        issuing_agent=agent_id(seed),
        threshold=threshold,
        quorum=quorum,
        seeds=seeds,
        method=method,
        criteria=criteria,
        unseeded_weight=unseeded_weight,
        version=version,
        epoch_length=epoch_length,
        priors=priors,
        draw=draw,
    )
    return sign(message, seed)


COPIED = CopyEvidence(both=41, differed=3, expected=12.0)
ESTIMATES = (
    Estimate(agent_id(2), "source-accuracy", (11.0, 3.0), (11.0, 3.0), 0, 1.0),
    Estimate(agent_id(3), "source-accuracy", (21.5, 3.25), (14.0, 3.0), 12, 0.5, agent_id(2)),
    Estimate(agent_id(3), "logical-consistency", (21.5, 3.25), (14.0, 3.0), 12, 0.125, agent_id(2), COPIED, 0.5),
)


MODELS = (
    CriterionModel("source-accuracy", (0.5, 0.125), (0.25, 0.125), 0.0625, 0.75),
    CriterionModel("logical-consistency", (0.75,), (0.25,), 0.0),
)
RECORDS = (
    OperatorRecord(
        agent_id(2),
        "source-accuracy",
        (((90.0, 10.0), (45.0, 5.0)), ((6.0, 4.0), (5.5, 4.5))),
        ((9.0, 1.0), (7.0, 0.0)),
    ),
    OperatorRecord(agent_id(3), "logical-consistency", (((19.0, 2.0), (9.5, 3.0)),)),
)


def epoch_message(
    *,
    issuing_agent: str = agent_id(9),
    log_size: int = 120,
    policy: str = "sha256:" + "a" * 64,
    calibration: Sequence[tuple[float, float]] = ((0.0, 0.0), (1.0, 1.0)),
    estimates: Sequence[Estimate] = ESTIMATES,
    models: Sequence[CriterionModel] = MODELS,
    records: Sequence[OperatorRecord] = RECORDS,
    part: int = 0,
    parts: int = 1,
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return a part of an epoch before it is signed, with the node's key where it is to be taken."""
    return build_epoch(
        epoch_id=message_id("epoch", issuing_agent, log_size, part),
        issued_at=time,
        issuing_agent=issuing_agent,
        log_size=log_size,
        policy=policy,
        calibration=calibration,
        estimates=estimates,
        models=models,
        records=records,
        part=part,
        parts=parts,
    )


# The frame of a signed note; nobody signed it.
NOTE = (
    "example.com/log\n1\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "\u2014 example.com/log Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeO\n"
)
QUOTA = PeerQuota(entries_per_pull=1000, bytes_per_day=10_000_000)
OTHER_NOTE = NOTE.replace("CsUY", "DsUY")


def key_registration_message(
    seed: int = 1,
    new_seed: int = 101,
    *,
    agent: str | None = None,
    key_name: str = "key-2",
    alias: str | None = None,
    replaces: Sequence[str] = (),
    recovery_seed: int | None = None,
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return the registration of another key of agent `seed`, `agent_key(new_seed)`, before it is signed.

    `recovery_seed` is the key that is to be the recovery key from now on.
    """
    agent = agent or agent_id(seed)
    return build_key_registration(
        registration_id=message_id("key", agent, key_name, new_seed, *replaces),
        registered_at=time,
        registering_agent=agent,
        key_id=f"{agent}#{key_name}",
        new_key=agent_key(new_seed),
        alias=alias,
        replaces=replaces,
        recovery_key=None if recovery_seed is None else agent_key(recovery_seed).public_key,
    )


def signed_key_registration(
    seed: int = 1, new_seed: int = 101, *, recovery: int | None = None, **changes: Any
) -> bytes:
    """Return a key registration signed by the agent's first key, or by the recovery key `agent_key(recovery)`."""
    message = key_registration_message(seed, new_seed, **changes)
    return sign(message, seed) if recovery is None else sign_as(message, agent_key(recovery))


def key_revocation_message(
    seed: int = 1,
    *,
    revoking_agent: str | None = None,
    agent: str | None = None,
    key: str | None = None,
    reason: RevocationReason = RevocationReason.KEY_COMPROMISE,
    not_trusted_since: int | datetime | None = None,
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return the revocation of a key of agent `seed`, its first one unless another is named, before it is signed."""
    agent = agent or agent_id(seed)
    key = key or f"{agent}#key-1"
    revoking_agent = revoking_agent or agent
    return build_key_revocation(
        revocation_id=message_id("revocation", revoking_agent, key, reason, not_trusted_since),
        revoked_at=time,
        revoking_agent=revoking_agent,
        agent=agent,
        key_id=key,
        reason=reason,
        not_trusted_since=not_trusted_since,
    )


def signed_key_revocation(seed: int = 1, *, recovery: int | None = None, **changes: Any) -> bytes:
    """Return a revocation signed by the agent's first key, or by the recovery key `agent_key(recovery)`."""
    message = key_revocation_message(seed, **changes)
    return sign(message, seed) if recovery is None else sign_as(message, agent_key(recovery))


def deactivation_message(
    seed: int = 1, *, deactivating_agent: str | None = None, reason: str | None = None, time: datetime = TIME
) -> dict[str, Any]:
    """Return the deactivation of agent `seed` before it is signed."""
    deactivating_agent = deactivating_agent or agent_id(seed)
    return build_agent_deactivation(
        deactivation_id=message_id("deactivation", deactivating_agent, agent_id(seed)),
        deactivated_at=time,
        deactivating_agent=deactivating_agent,
        agent=agent_id(seed),
        reason=reason,
    )


def signed_deactivation(seed: int = 1, *, recovery: int | None = None, **changes: Any) -> bytes:
    """Return a deactivation signed by the agent's first key, or by the recovery key `agent_key(recovery)`."""
    message = deactivation_message(seed, **changes)
    return sign(message, seed) if recovery is None else sign_as(message, agent_key(recovery))


def signed_agent_version(registration: bytes, seed: int = 1, *, family: str, time: datetime = TIME) -> bytes:
    """Return agent `seed`'s announcement that the agent of a signed registration is a version of a family."""
    target = envelope_of(registration)
    message = build_agent_version(
        announcement_id=message_id("version", seed, target.signed_hash, family),
        announced_at=time,
        announcing_agent=agent_id(seed),
        agent=target.agent_id,
        target_hash=target.signed_hash,
        family=family,
    )
    return sign(message, seed)


def admission_policy_message(
    issuing_agent: str = agent_id(9),
    *,
    mode: AdmissionMode = AdmissionMode.OPEN,
    allowed_agents: Sequence[str] = (),
    invitations: Sequence[str] = (),
    quotas: Mapping[str, Mapping[str, int]] | None = None,
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return an admission policy before it is signed, with the node's key where it is to be taken."""
    return build_admission_policy(
        policy_id=message_id("admission", issuing_agent, mode, *allowed_agents, *invitations, str(quotas or "")),
        issued_at=time,
        issuing_agent=issuing_agent,
        mode=mode,
        allowed_agents=allowed_agents,
        invitations=invitations,
        quotas=quotas,
    )


def log_key_rotation_message(
    issuing_agent: str = agent_id(9), *, origin: str | None = None, note: str = NOTE, time: datetime = TIME
) -> dict[str, Any]:
    """Return a log key rotation before it is signed, with the node's key where it is to be taken."""
    return build_log_key_rotation(
        rotation_id=message_id("rotation", issuing_agent, note),
        issued_at=time,
        issuing_agent=issuing_agent,
        origin=origin or issuing_agent,
        note=note,
    )


def peer_agreement_message(
    issuing_agent: str = agent_id(9),
    *,
    origin: str = "urn:agent:a2ap-node:0123456789abcdef",
    log_key: str = "example.com/log+bd1b7f9c+AUcTsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq",
    url: str | None = "https://peer.example.org",
    transport_key: PublicKey | None = None,
    clearance: Boundary = Boundary.PUBLIC,
    quota: PeerQuota = QUOTA,
    suspended: bool = False,
    private_address: bool = False,
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return a peer agreement before it is signed, with the node's key where it is to be taken."""
    return build_peer_agreement(
        agreement_id=message_id("agreement", issuing_agent, origin, log_key, url, clearance, quota, suspended),
        issued_at=time,
        issuing_agent=issuing_agent,
        origin=origin,
        log_key=log_key,
        url=url,
        transport_key=transport_key,
        clearance=clearance,
        quota=quota,
        suspended=suspended,
        private_address=private_address,
    )


def peer_checkpoint_message(
    issuing_agent: str = agent_id(9),
    *,
    origin: str = "urn:agent:a2ap-node:0123456789abcdef",
    checkpoint: str = NOTE,
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return a peer's checkpoint before it is signed, with the node's key where it is to be taken."""
    return build_peer_checkpoint(
        message_id=message_id("peer checkpoint", issuing_agent, origin, checkpoint),
        issued_at=time,
        issuing_agent=issuing_agent,
        origin=origin,
        checkpoint=checkpoint,
    )


def signed_equivocation(
    seed: int = 1,
    *,
    origin: str = "urn:agent:a2ap-node:0123456789abcdef",
    checkpoints: tuple[str, str] = (NOTE, OTHER_NOTE),
    consistency_proof: Sequence[bytes] | None = None,
    successions: Sequence[str] = (),
    time: datetime = TIME,
) -> bytes:
    """Return agent `seed`'s report of two notes."""
    message = build_equivocation(
        equivocation_id=message_id("equivocation", seed, origin, *checkpoints),
        reported_at=time,
        reporting_agent=agent_id(seed),
        origin=origin,
        checkpoints=checkpoints,
        consistency_proof=consistency_proof,
        successions=successions,
    )
    return sign(message, seed)


def signed_retraction(
    target: bytes, seed: int = 1, *, reason: str | None = "It was wrong.", time: datetime = TIME, number: int = 1
) -> bytes:
    """Return agent `seed`'s retraction of a signed statement or verdict; another `number` gives another message."""
    envelope = envelope_of(target)
    message = build_retraction(
        retraction_id=message_id("retraction", seed, envelope.signed_hash, number),
        retracted_at=time,
        retracting_agent=agent_id(seed),
        target_message=envelope.id,
        target_type=envelope.type,
        target_hash=envelope.signed_hash,
        reason=reason,
    )
    return sign(message, seed)


def disclosure_redaction_message(
    target: bytes,
    digests: Sequence[str],
    redacted: bytes,
    *,
    redacting_agent: str = agent_id(1),
    reason: str = "The person asked for it.",
    legal_basis: str | None = "GDPR Art. 17",
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return the redaction of disclosures of a signed document, `redacted` being its bytes without them."""
    envelope = envelope_of(target)
    return build_disclosure_redaction(
        redaction_id=message_id("redaction", redacting_agent, envelope.signed_hash, *digests),
        redacted_at=time,
        redacting_agent=redacting_agent,
        target_hash=envelope.signed_hash,
        disclosure_digests=digests,
        redacted_document_hash=sha256_digest(redacted),
        reason=reason,
        legal_basis=legal_basis,
    )


def source_redaction_message(
    document_hash: str,
    *,
    redacting_agent: str = agent_id(9),
    byte_ranges: Sequence[ByteRange] = (),
    redacted_document_hash: str | None = None,
    reason: str = "The person asked for it.",
    legal_basis: str | None = "GDPR Art. 17",
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return the redaction of a source, or of ranges of it, before it is signed."""
    return build_source_redaction(
        redaction_id=message_id("redaction", redacting_agent, document_hash, *byte_ranges, reason),
        redacted_at=time,
        redacting_agent=redacting_agent,
        document_hash=document_hash,
        byte_ranges=byte_ranges,
        redacted_document_hash=redacted_document_hash,
        reason=reason,
        legal_basis=legal_basis,
    )


def gold_label_message(
    target: bytes,
    label: Label = Label.FAIL,
    *,
    labelling_agent: str = agent_id(9),
    criterion: str = DEFAULT_CRITERIA[0],
    reason: str | None = "The recording says otherwise.",
    probe: RevealedProbe | None = None,
    answers: Sequence[str] = (),
    time: datetime = TIME,
    number: int = 1,
) -> dict[str, Any]:
    """Return a gold label of a statement before it is signed; another `number` gives another message."""
    envelope = envelope_of(target)
    return build_gold_label(
        label_id=message_id("gold", labelling_agent, envelope.signed_hash, criterion, label, number),
        labelled_at=time,
        labelling_agent=labelling_agent,
        target_statement=envelope.id,
        target_hash=envelope.signed_hash,
        criterion=criterion,
        label=label,
        reason=reason,
        probe=probe,
        answers=answers,
    )


def signed_gold_dispute(
    label: bytes,
    seed: int = 2,
    *,
    reason: str = "The recording says what is claimed.",
    evidence: Sequence[str] = (),
    time: datetime = TIME,
    number: int = 1,
) -> bytes:
    """Return agent `seed`'s dispute of a signed gold label; another `number` gives another message."""
    envelope = envelope_of(label)
    message = build_gold_dispute(
        dispute_id=message_id("gold dispute", seed, envelope.signed_hash, number),
        disputed_at=time,
        disputing_agent=agent_id(seed),
        target_label=envelope.id,
        target_hash=envelope.signed_hash,
        reason=reason,
        evidence=evidence,
    )
    return sign(message, seed)


def probe_message(
    commitments: Sequence[str] = ("sha256:" + "a" * 64,),
    *,
    committing_agent: str = agent_id(9),
    time: datetime = TIME,
) -> dict[str, Any]:
    """Return commitments to labels before they are signed."""
    return build_probe(
        probe_id=message_id("probe", committing_agent, *commitments),
        committed_at=time,
        committing_agent=committing_agent,
        commitments=commitments,
    )
