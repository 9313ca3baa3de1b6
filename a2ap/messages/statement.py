"""Provenance statements: an agent's claim and the evidence that it rests on (A2AP §2.1).

Beside the members of §2.1 a statement may name the statements that it supports, contradicts (`supports`,
`contradicts`, lists) or revises (`prov:wasRevisionOf`), each by `@id` and `targetHash`, so that nobody can put another
text under it, and the records from which it was made (`a2ap.messages.generated_by`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from a2ap.errors import FieldError
from a2ap.fields import read_list, read_object, read_optional_text, read_share, read_text
from a2ap.identifiers import check_statement_id, generate_statement_id
from a2ap.messages.agent_description import AgentDescription, build_agent, read_agent
from a2ap.messages.content_hash import ContentHashRule, compute_content_hash, recognise_content_hash
from a2ap.messages.envelope import Envelope, MessageType, read_envelope
from a2ap.messages.evidence import EvidenceSegment, read_segment
from a2ap.messages.generated_by import MEMBER as GENERATED_BY
from a2ap.messages.generated_by import generated_by_member, read_generated_by
from a2ap.messages.reference import (
    Reference,
    read_optional_reference,
    read_references,
    reference_member,
    reference_members,
)
from a2ap.signing.disclosure import Disclosure, check_all_named, read_disclosures
from a2ap.times import format_instant
from contexts import A2AP_CONTEXT_URL

__all__ = ["CLAIM_TYPE", "Claim", "ProvenanceStatement", "Reference", "build_statement"]

CLAIM_TYPE = "a2ap:Claim"


@dataclass(frozen=True, slots=True)
class Claim:
    """The text of a claim, its author's confidence (0 to 1), and the rule that gives `content_hash`."""

    text: str
    confidence: float
    generation_method: str | None
    content_hash: str
    content_hash_rule: ContentHashRule


@dataclass(frozen=True, slots=True)
class ProvenanceStatement:
    """A claim, its author and at least one piece of evidence, in document order."""

    envelope: Envelope
    agent: AgentDescription
    claim: Claim
    evidence: tuple[EvidenceSegment, ...]
    supports: tuple[Reference, ...]
    contradicts: tuple[Reference, ...]
    was_revision_of: Reference | None
    generated_by: tuple[str, ...] = ()

    @classmethod
    def from_message(cls, message: Mapping[str, Any], received: bytes) -> "ProvenanceStatement":
        """Read a statement out of the JSON of `received`; raises `MessageError`."""
        agent = read_agent(message)
        envelope = read_envelope(
            message,
            received,
            type=MessageType.STATEMENT,
            time_member="generatedAtTime",
            agent_id=agent.agent_id,
        )
        disclosures = read_disclosures(message)
        evidence = tuple(
            read_segment(segment, f"evidence[{index}]", disclosures)
            for index, segment in enumerate(read_list(message, "evidence"))
        )
        if not evidence:
            raise FieldError("evidence", "is empty; a claim rests on something")
        check_all_named(disclosures, tuple(segment.quote for segment in evidence))
        claim = _read_claim(message, evidence)
        check_statement_id(envelope.id, agent.agent_id, claim.text)
        return cls(
            envelope=envelope,
            agent=agent,
            claim=claim,
            evidence=evidence,
            supports=read_references(message, "supports"),
            contradicts=read_references(message, "contradicts"),
            was_revision_of=read_optional_reference(message, "prov:wasRevisionOf"),
            generated_by=read_generated_by(message),
        )


def build_statement(
    *,
    generated_at: datetime,
    agent: AgentDescription,
    claim: str,
    confidence: float,
    evidence: Sequence[Mapping[str, Any]],
    generation_method: str | None = "semantic-analysis",
    statement_id: str | None = None,
    supports: Sequence[Reference] = (),
    contradicts: Sequence[Reference] = (),
    was_revision_of: Reference | None = None,
    generated_by: Sequence[str] = (),
    disclosures: Sequence[Disclosure] = (),
) -> dict[str, Any]:
    """Return an unsigned statement (A2AP §4.1); `evidence` holds results of `build_segment`.

    The id is derived from agent and claim (Appendix A) unless it is given: a revision needs a version 4 or 7
    id of its own. `generated_by` are the hashes of records. Every disclosure must be of a quote in the evidence.
    Raises `FieldError` for bad evidence.
    """
    texts = {disclosure.digest: disclosure.text for disclosure in disclosures}
    segments = [read_segment(segment, f"evidence[{index}]", texts) for index, segment in enumerate(evidence)]
    claim_member: dict[str, Any] = {"@type": CLAIM_TYPE, "text": claim, "confidence": confidence}
    if generation_method is not None:
        claim_member["generationMethod"] = generation_method
    claim_member["contentHash"] = compute_content_hash(claim, segments)
    message: dict[str, Any] = {
        "@context": A2AP_CONTEXT_URL,
        "@type": MessageType.STATEMENT.wire,
        "@id": statement_id if statement_id is not None else generate_statement_id(agent.agent_id, claim),
        "generatedAtTime": format_instant(generated_at),
        "agent": build_agent(agent),
        "claim": claim_member,
        "evidence": [dict(segment) for segment in evidence],
    }
    for name, references in (("supports", supports), ("contradicts", contradicts)):
        if references:
            message[name] = reference_members(references)
    if was_revision_of is not None:
        message["prov:wasRevisionOf"] = reference_member(was_revision_of)
    if generated_by:
        message[GENERATED_BY] = generated_by_member(generated_by)
    if disclosures:
        message["disclosures"] = {disclosure.digest: disclosure.entry for disclosure in disclosures}
    return message


def _read_claim(message: Mapping[str, Any], evidence: Sequence[EvidenceSegment]) -> Claim:
    claim = read_object(message, "claim", type_name=CLAIM_TYPE)
    text = read_text(claim, "text", "claim")
    content_hash = read_text(claim, "contentHash", "claim")
    return Claim(
        text=text,
        confidence=read_share(claim, "confidence", "claim"),
        generation_method=read_optional_text(claim, "generationMethod", "claim"),
        content_hash=content_hash,
        content_hash_rule=recognise_content_hash(content_hash, text, evidence),
    )
