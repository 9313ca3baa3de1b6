"""Signed messages for tests: each function returns the bytes of a document that the platform would accept.

Agents are numbers: agent 1 is `urn:agent:test-1` and holds `agent_key(1)`. Ids of messages are derived from
what they are about, so that the same call gives the same bytes.
"""

import hashlib
import uuid
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from a2ap.agent_description import AgentDescription
from a2ap.agent_registration import build_agent_registration
from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.disclosure import Disclosure
from a2ap.endorsement import build_endorsement
from a2ap.evidence import build_segment
from a2ap.json_text import write_json
from a2ap.keys import SigningKey
from a2ap.message import Envelope, read_message
from a2ap.policy import DEFAULT_CRITERIA, ConsensusMethod, build_policy
from a2ap.signature import sign_message
from a2ap.source_registration import build_source_registration
from a2ap.statement import Reference, build_statement
from a2ap.verification_request import build_verification_request
from a2ap.verification_response import Finding, FindingStatus, Verdict, build_verification_response

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


def envelope_of(document: bytes) -> Envelope:
    return read_message(document).envelope


def signed_registration(
    seed: int = 1,
    *,
    agent: AgentDescription | None = None,
    alias: str | None = None,
    time: datetime = TIME,
    recovery_seed: int | None = None,
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
) -> dict[str, Any]:
    """Return a request before it is signed; `bound=False` leaves out `targetHash` (A2AP §2.2)."""
    target = envelope_of(statement)
    return build_verification_request(
        request_id=message_id("request", seed, target.signed_hash, *criteria),
        requested_at=time,
        requesting_agent=agent_id(seed),
        target_statement=target.id,
        target_hash=target.signed_hash if bound else None,
        criteria=criteria,
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
) -> dict[str, Any]:
    """Return a response before it is signed; each criterion gets the status that goes with the verdict."""
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
    )


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
    time: datetime = TIME,
) -> bytes:
    message = build_source_registration(
        registration_id=message_id("source", seed, source_id, sha256_digest(source), boundary),
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
    )
    return sign(message, seed)
