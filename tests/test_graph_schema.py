"""What is in the graph: every label, relationship and property of A2AP §3 and §6.3, and of ours, with its type."""

import re
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio
from builders import (
    CLAIM,
    QUOTE,
    SOURCE,
    SOURCE_ID,
    TIME,
    admission_policy_message,
    agent_id,
    agent_key,
    description,
    envelope_of,
    epoch_message,
    gold_label_message,
    key_id,
    message_id,
    pointer_to,
    probe_message,
    reference_to,
    segment,
    signed_agent_version,
    signed_answer,
    signed_deactivation,
    signed_decline,
    signed_endorsement,
    signed_gold_dispute,
    signed_key_registration,
    signed_record,
    signed_registration,
    signed_request,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    source_redaction_message,
)
from graph_contents import run_raw
from key_world import by_node, revocation_by_node
from pack_world import pack_submissions
from packet_world import packet_submissions
from passports import signed_world
from peer_simulator import PeerSimulator
from platform_fixture import platform
from scenario import pieces, signed_node_policy, source_of
from servers import receipts_of

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.identifiers import chunk_key, generate_chunk_id
from a2ap.messages.admission_policy import invitation_hash
from a2ap.messages.draw_rules import DrawRules
from a2ap.messages.evidence import ByteRange
from a2ap.messages.gold_label import Label, RevealedProbe
from a2ap.messages.message import read_message
from a2ap.messages.peer_agreement import PeerQuota
from a2ap.messages.possession import possession_mac
from a2ap.messages.probe import commit
from a2ap.messages.scoping import scope_message
from a2ap.messages.verification_response import Verdict
from a2ap.signing.disclosure import make_disclosure
from graph.dictionary.reading import columns_from, node_terms, relationship_terms, starts_with_own
from graph.federation.agreements import Agreement, checkpoint_message, equivocation_message
from graph.platform import Platform
from graph.store import Store
from graph.submission.submission import Submission

__all__ = ["platform"]

pytestmark = pytest.mark.both_engines

AUTHOR, VERIFIER_A, VERIFIER_B, OPERATOR_A, OPERATOR_B = 1, 2, 3, 11, 12
# The author's id ends in its version, so that it founds this family.
FAMILY = "urn:agent:test"
REGISTRATION = signed_source(AUTHOR, possession_mac=possession_mac(agent_id(AUTHOR), SOURCE))
STATEMENT = signed_statement(AUTHOR, confidence=1, evidence=[segment(relevance_score=1)])

SAYS = "The source says otherwise."

Properties = dict[str, type | tuple[type[list[Any]], type]]

TEXTS = (list, str)
NUMBERS = (list, float)
INTEGERS = (list, int)

# A2AP §3.1.
SPECIFIED_NODES: dict[str, Properties] = {
    "Agent": {
        **dict.fromkeys(("agent_id", "name", "version", "publisher", "public_key"), str),
        **{"capabilities": TEXTS, "registered_at": datetime, "person": bool},
        # §6.3
        "reputation": float,
    },
    "Statement": {
        **dict.fromkeys(("statement_id", "claim_text", "content_hash", "signature"), str),
        **{"confidence": float, "generated_at": datetime, "verified": bool, "consensus_score": float},
    },
    "Chunk": {
        **dict.fromkeys(("chunk_id", "doc_id", "text", "timestamp_start", "timestamp_end"), str),
        **dict.fromkeys(("byte_start", "byte_end"), int),
    },
    "Verification": {
        **dict.fromkeys(("verification_id", "verdict", "signature"), str),
        **{"confidence": float, "verified_at": datetime},
    },
    # §3.2 and Appendix B name these without saying what is in them, but for the title.
    "Document": {"title": str},
    "Source": {},
}
# What is said of a message that its author took back.
RETRACTED: Properties = {
    **dict.fromkeys(("retraction_id", "retraction_hash", "retraction_reason"), str),
    **{"retracted": bool, "retracted_at": datetime},
}
POINTERS: Properties = {
    **dict.fromkeys(("evidence_documents", "evidence_sources", "evidence_chunks", "evidence_hashes"), TEXTS),
    **dict.fromkeys(("evidence_starts", "evidence_ends"), (list, int)),
}
OUR_NODES: dict[str, Properties] = {
    "Agent": {
        **dict.fromkeys(
            ("key_id", "registration_id", "registration_hash", "recovery_key_hash", "invitation_hash"), str
        ),
        **dict.fromkeys(("verdicts_right", "verdicts_wrong", "log_index", "deactivated_at"), int),
        "estimated_accuracy": float,
        "origin": str,
        "probing": bool,
    },
    "AgentFamily": {"family_id": str, "log_index": int},
    "Key": {
        **dict.fromkeys(("key_id", "agent_id", "public_key", "alias", "registered_by"), str),
        **dict.fromkeys(("revoked_reason", "revoked_by"), str),
        **dict.fromkeys(("log_index", "retired_at", "not_trusted_since"), int),
    },
    "KeyEvent": {
        **dict.fromkeys(("signed_hash", "message_id", "type", "agent_id", "key_id", "signed_by", "authority"), str),
        **{"reason": str, "replaces": TEXTS, "void": bool, "issued_at": datetime},
        **dict.fromkeys(("log_index", "not_trusted_since"), int),
    },
    "AdmissionPolicy": {
        **dict.fromkeys(("signed_hash", "policy_id", "mode", "quotas"), str),
        **dict.fromkeys(("allowed_agents", "invitations"), TEXTS),
        **{"issued_at": datetime, "log_index": int},
    },
    "Statement": {
        **dict.fromkeys(("signed_hash", "document_hash", "content_hash_rule", "generation_method"), str),
        **dict.fromkeys(("machine_check", "machine_reason", "context"), str),
        **{"machine_checked_at": datetime},
        **dict.fromkeys(("evidence_passed", "probe", "probe_passes"), bool),
        **{"key_id": str, "key_trusted": bool, "origin": str, "conflicted": bool},
        **{"received_at": datetime, "log_index": int, "statement_index": int},
        **RETRACTED,
        "superseded_by": str,
        **dict.fromkeys(("claim_key", "subject_key", "carried_subject"), str),
        **{"carried": bool, "carried_by": TEXTS, "opposed_by": TEXTS},
    },
    "Chunk": dict.fromkeys(("chunk_key", "document_hash", "content_hash", "redacted"), str),
    "Document": {
        **dict.fromkeys(("document_key", "document_hash", "doc_id", "media_type", "boundary"), str),
        **{"registration_hash": str, "byte_length": int, "held": bool, "registered": bool},
        **{"licence": str, "rights_holder": str, "retain_until": datetime, "redacted": str, "erased": bool},
    },
    "Source": {
        **dict.fromkeys(("source_id", "title", "publisher", "origin"), str),
        **dict.fromkeys(("answered_for", "has_proof"), bool),
    },
    "Verification": {
        **dict.fromkeys(("signed_hash", "document_hash", "reason", "target_hash", "label"), str),
        **{"key_id": str, "key_trusted": bool},
        **{"binds": bool, "machine": bool, "received_at": datetime, "log_index": int},
        **dict.fromkeys(("finding_criteria", "finding_statuses", "finding_evidence"), TEXTS),
        "finding_confidences": NUMBERS,
        **dict.fromkeys(("request_hash", "supersedes", "counter_statement", "probed_verifier"), str),
        "cross_references": TEXTS,
        **POINTERS,
        **RETRACTED,
    },
    "VerificationDecline": {
        **dict.fromkeys(("signed_hash", "decline_id", "document_hash", "agent_id", "request_hash", "reason"), str),
        **{"target_hash": str, "declined_at": datetime, "received_at": datetime, "key_id": str, "log_index": int},
    },
    "ChallengeAnswer": {
        **dict.fromkeys(("signed_hash", "answer_id", "document_hash", "agent_id", "target_hash", "text"), str),
        **{"answered_at": datetime, "received_at": datetime, "key_id": str, "log_index": int},
        "statement_hash": str,
        **POINTERS,
    },
    "Retraction": {
        **dict.fromkeys(("signed_hash", "retraction_id", "agent_id", "target_hash", "target_type", "reason"), str),
        **{"retracted_at": datetime, "key_id": str, "key_trusted": bool, "log_index": int},
    },
    "GoldLabel": {
        **dict.fromkeys(("signed_hash", "label_id", "agent_id", "target_hash", "criterion", "reason"), str),
        **dict.fromkeys(("commitment", "salt", "key_id", "standing"), str),
        **dict.fromkeys(("passes", "probe", "own", "key_trusted", "in_force", "withdrawn", "suspended"), bool),
        **{"answers": TEXTS, "labelled_at": datetime, "log_index": int},
    },
    "GoldDispute": {
        **dict.fromkeys(("signed_hash", "dispute_id", "agent_id", "label_hash", "target_hash", "reason"), str),
        **{"evidence": TEXTS, "disputed_at": datetime, "key_id": str, "log_index": int},
        **dict.fromkeys(("key_trusted", "withdrawn", "suspends"), bool),
    },
    "Probe": {
        **dict.fromkeys(("signed_hash", "probe_id", "agent_id", "key_id"), str),
        **{"commitments": TEXTS, "committed_at": datetime, "log_index": int},
    },
    "Redaction": {
        **dict.fromkeys(("signed_hash", "redaction_id", "agent_id", "target", "document_hash"), str),
        **dict.fromkeys(("redacted_document_hash", "reason", "legal_basis"), str),
        **dict.fromkeys(("range_starts", "range_ends"), (list, int)),
        **{"disclosure_digests": TEXTS, "redacted_at": datetime, "log_index": int},
    },
    "VerificationRequest": {
        **dict.fromkeys(("signed_hash", "request_id", "document_hash", "origin"), str),
        **{"criteria": TEXTS, "requested_at": datetime, "received_at": datetime, "log_index": int},
        **{"deadline": datetime, "wanted_verdicts": int, "eligible_verifiers": TEXTS, "agent_id": str},
        **{"open_until": int, "open_for": str, "answered_by": TEXTS},
    },
    "Policy": {
        **dict.fromkeys(("signed_hash", "policy_id", "method"), str),
        **{"issued_at": datetime, "threshold": float, "unseeded_weight": float, "quorum": int, "log_index": int},
        **dict.fromkeys(("seeds", "criteria"), TEXTS),
        **dict.fromkeys(("prior_claim", "prior_trusted", "prior_endorsed", "prior_unknown"), NUMBERS),
        **{"version": int, "epoch_length": int, "family_correlation": float},
        **dict.fromkeys(("draw_operators", "draw_from", "draw_window"), int),
    },
    "Epoch": {
        **dict.fromkeys(("signed_hash", "epoch_id", "policy", "method"), str),
        **dict.fromkeys(("log_size", "part", "parts", "log_index"), int),
        **dict.fromkeys(("calibration_confidences", "calibration_weights"), NUMBERS),
        **dict.fromkeys(("model_right", "model_wrong", "model_common_errors", "model_newcomers"), NUMBERS),
        **{"model_criteria": TEXTS, "model_levels": INTEGERS, "issued_at": datetime, "last": bool},
    },
    "OperatorRecord": {
        **dict.fromkeys(("record_key", "operator", "criterion"), str),
        **dict.fromkeys(("sensitivities", "specificities", "known_answers"), NUMBERS),
        **{"log_size": int, "log_index": int},
    },
    "Reliability": {
        **dict.fromkeys(("reliability_key", "agent_id", "criterion", "copies"), str),
        **dict.fromkeys(("sensitivity", "specificity"), NUMBERS),
        **{"judged": int, "independence": float, "log_size": int, "log_index": int},
        **{"copied_both": int, "copied_differed": int, "copied_expected": float, "coalition": float},
    },
    "LogEntry": {
        **dict.fromkeys(("origin", "type", "id", "document_hash", "signed_hash", "agent", "key"), str),
        **{"log_index": int, "v": int, "received_at": datetime, "origin_index": int, "origin_received_at": datetime},
    },
    "Peer": {
        **dict.fromkeys(("origin", "signed_hash", "agreement_id", "url", "log_key", "transport_key", "clearance"), str),
        **dict.fromkeys(("entries_per_pull", "bytes_per_day", "log_index"), int),
        **{"issued_at": datetime, "suspended": bool, "private_address": bool},
    },
    "PeerCheckpoint": {
        **dict.fromkeys(("signed_hash", "message_id", "origin", "root_hash", "checkpoint"), str),
        **{"issued_at": datetime, "tree_size": int, "log_index": int},
    },
    "Equivocation": {
        **dict.fromkeys(("signed_hash", "equivocation_id", "origin", "reporting_agent"), str),
        **{"checkpoints": TEXTS, "consistency_proof": TEXTS, "reported_at": datetime, "log_index": int},
    },
    "Passport": {
        **dict.fromkeys(("record_hash", "passport_id", "schema_version", "parent_id", "trace_id", "branch_key"), str),
        **dict.fromkeys(("agent_id", "agent_name", "role", "provider", "model", "event_type", "to_agent_id"), str),
        **dict.fromkeys(("target", "fork_of", "fork_point", "lineage_root", "profile", "chaining", "signing"), str),
        **dict.fromkeys(("payload_hash", "parent_hash", "integrity_hash", "signed_by"), str),
        **{"event_time": datetime, "merged_parents": TEXTS, "merges": bool, "held": bool},
        **{"byte_length": int, "log_index": int},
    },
    "Pack": {
        **dict.fromkeys(("record_hash", "version", "created", "model", "os", "runtime", "form", "parent"), str),
        **{"held": bool, "byte_length": int, "steps": int, "log_index": int},
    },
    "Step": {
        **dict.fromkeys(("step_key", "record_hash", "type", "tool", "timestamp"), str),
        **{"position": int, "index": int, "deterministic": bool, "log_index": int},
    },
    "Packet": {
        **dict.fromkeys(("record_hash", "spec", "packet_id", "created_at", "packet_type", "task_ref"), str),
        **dict.fromkeys(("producer_id", "producer_type", "governor_id", "governor_mode", "recipient_id"), str),
        **dict.fromkeys(("recipient_type", "workspace", "project", "boundary_ceiling", "expires_at"), str),
        **dict.fromkeys(("supersedes_packet", "assembly_query_ref", "packet_hash", "hash_domain", "level"), str),
        **{
            "claimed_level": str,
            "signed_by": str,
            "source_state_refs": TEXTS,
            "promoters": TEXTS,
            "hash_stated": bool,
            "held": bool,
        },
        **dict.fromkeys(("byte_length", "log_index", "items", "open_loops", "exclusions"), int),
    },
    "Item": {
        **dict.fromkeys(("item_key", "record_hash", "item_id", "kind", "epistemic_status", "promotion_state"), str),
        **dict.fromkeys(("confidence", "stakes", "boundary", "branch_status", "source", "author", "trust"), str),
        **dict.fromkeys(("recorded_at", "supersedes", "superseded_by", "statement_hash"), str),
        **{"position": int, "log_index": int},
    },
    "PacketRecord": {
        **dict.fromkeys(("record_hash", "kind", "record_id", "at", "by", "packet_id", "packet_hash"), str),
        **dict.fromkeys(("signed_by", "event", "observability_ref", "outcome", "result_state", "return_id"), str),
        **{"proposal": str, "proposal_ids": TEXTS, "held": bool},
        **dict.fromkeys(("byte_length", "log_index", "outputs", "proposals"), int),
    },
    "LogHead": {"name": str, "size": int, "statements": int, "lock": str},
}
NODES = {
    label: {**SPECIFIED_NODES.get(label, {}), **OUR_NODES.get(label, {})}
    for label in sorted({*SPECIFIED_NODES, *OUR_NODES})
}
Ends = tuple[str, str]
RELATIONSHIPS: dict[str, tuple[Ends, Properties]] = {
    # A2AP §3.2; the properties of GENERATED, VERIFIED and CHALLENGED are of §6.3.
    "GENERATED": (("Agent|Pack|Step", "Statement|Document"), {"timestamp": datetime, "position": int}),
    "CITES": (
        ("Statement", "Chunk"),
        {
            **dict.fromkeys(("chunk_id", "source_document", "content_hash", "quote_text", "quote_digest"), str),
            **dict.fromkeys(("timestamp_start", "timestamp_end"), str),
            **dict.fromkeys(("position", "start_milliseconds", "end_milliseconds", "page"), int),
            "relevance_score": float,
        },
    ),
    "SUPPORTS": (("Statement", "Statement"), {}),
    "CONTRADICTS": (("Statement", "Statement"), {}),
    "REQUESTED_VERIFICATION": (("Agent", "Statement"), {"request_id": str, "timestamp": datetime}),
    "VERIFIED": (("Agent", "Statement"), {"verification_id": str, "verdict": str, "timestamp": datetime}),
    "CHALLENGED": (("Agent", "Statement"), {"verification_id": str, "timestamp": datetime, "reason": str}),
    "VALIDATES": (("Verification", "Statement"), {}),
    "PERFORMED_BY": (("Verification", "Agent"), {}),
    "LABELS": (("GoldLabel", "Statement"), {}),
    "STATED_BY": (("GoldLabel", "Agent"), {}),
    "DISPUTES": (("GoldDispute", "GoldLabel"), {}),
    "PART_OF": (("Chunk", "Document"), {}),
    "SOURCED_FROM": (("Document", "Source"), {"answered_for": bool}),
    # Ours.
    "REVISION_OF": (("Statement", "Statement"), {}),
    "HAS_KEY": (("Agent", "Key"), {}),
    "SPECIALIZATION_OF": (
        ("Agent", "AgentFamily"),
        {
            **dict.fromkeys(("stated_key", "invited_by", "invitation_hash", "invitation_key"), str),
            **{"log_index": int, "founder": bool, "confirmed": bool, "confirmed_at": int},
        },
    ),
    "TARGETS": (("VerificationRequest", "Statement"), {}),
    "DECLINES": (("VerificationDecline", "VerificationRequest"), {}),
    "ENDORSED": (
        ("Agent", "Agent"),
        {
            **dict.fromkeys(("endorsement_id", "signed_hash", "key_id"), str),
            **{"timestamp": datetime, "log_index": int, "key_trusted": bool},
        },
    ),
    "OF": (("Reliability", "Agent"), {}),
    "HELD_BY": (("OperatorRecord", "Agent"), {}),
    "REGISTERED": (
        ("Agent", "Document"),
        {
            **dict.fromkeys(("registration_id", "signed_hash", "boundary", "possession_mac", "key_id", "format"), str),
            **{"timestamp": datetime, "log_index": int, "key_trusted": bool},
        },
    ),
    "USED": (("Pack", "Document"), {"part": str, "position": int, "role": str}),
    "HAS_STEP": (("Pack", "Step"), {}),
    "INFORMED_BY": (("Pack", "Pack"), {}),
    "RECORD_OF": (("Pack|Passport|Packet|PacketRecord", "Document"), {}),
    "HAS_ITEM": (("Packet", "Item"), {}),
    "ABOUT": (("Item", "Statement|Document"), {}),
    "SUPERSEDES": (("Packet", "Packet"), {}),
    "ECHOES": (("PacketRecord", "Packet"), {}),
    "DISPOSES": (("PacketRecord", "PacketRecord"), {}),
    "GENERATED_BY": (("Statement|Verification", "Document"), {}),
    "DERIVED_FROM": (("Passport", "Passport"), {"named": bool, "merged": bool}),
    "ATTRIBUTED_TO": (("Passport", "Agent"), {"key_id": str}),
}


@pytest_asyncio.fixture
async def graph(platform: Platform) -> Store:
    """Return a graph with at least one of everything in it."""
    verifiers = [signed_registration(seed) for seed in (VERIFIER_A, VERIFIER_B)]
    version = signed_registration(4, agent=description(4, family=FAMILY))
    withheld = make_disclosure("We heard from café owners on Elm Street", bytes(16))
    second = signed_statement(
        AUTHOR, claim="Café owners want tables.", evidence=[segment(withheld.text) | {"quoteText": withheld.reference}]
    )
    await platform.submit_many(
        [
            signed_registration(AUTHOR, alias="agent:author:pubkey", recovery_seed=7),
            *(signed_registration(seed) for seed in (OPERATOR_A, OPERATOR_B)),
            *verifiers,
            version,
            signed_agent_version(version, AUTHOR, family=FAMILY),
            signed_endorsement(verifiers[0], OPERATOR_A),
            signed_endorsement(verifiers[1], OPERATOR_B),
            signed_node_policy(
                platform,
                seeds=(agent_id(OPERATOR_A), agent_id(OPERATOR_B)),
                quorum=1,
                draw=DrawRules(operators=1, least=1000, window=60),
            ),
        ]
    )
    await platform.sources.add(source_of(REGISTRATION), pieces(SOURCE))
    third = signed_statement(
        VERIFIER_A,
        claim="The limit is gone.",
        evidence=[segment(document_hash=None, page=1)],
        supports=[reference_to(second)],
        contradicts=[reference_to(STATEMENT)],
        was_revision_of=reference_to(STATEMENT),
    )
    kept = signed_statement(AUTHOR, claim="The map keeps the limit.")
    receipts_of(
        await platform.submit_many(
            [
                *(STATEMENT, second, third, kept),
                signed_request(STATEMENT, AUTHOR),
                *(
                    signed_response(one, seed, confidence=1)
                    for seed in (VERIFIER_A, VERIFIER_B)
                    for one in (STATEMENT, kept)
                ),
                signed_response(third, VERIFIER_B, verdict=Verdict.CHALLENGED, reason=SAYS),
            ]
        )
    )
    receipts_of(await platform.submit_many(_checking()))
    await _records(platform)
    receipts_of(await platform.submit_many(_gold(platform)))
    receipts_of(await platform.submit_many(_about_keys(platform)))
    verdict = signed_response(third, VERIFIER_B, verdict=Verdict.CHALLENGED, reason=SAYS)
    await _take_back_and_erase(platform, second, verdict)
    await _exchange(platform)
    epoch = epoch_message(issuing_agent=platform.node.agent_id, log_size=platform.log.size)
    receipts_of(await platform.submit_many([by_node(platform, epoch)]))
    await platform.epochs.settled()
    return platform.store


def _gold(platform: Platform) -> list[bytes]:
    """Return a probe that is committed to, submitted, judged and revealed, a dispute of that, and the answer to it."""
    node = platform.node.agent_id
    statement, salt = signed_statement(31, claim="The limit is sixty feet."), "A" * 22 + "=="
    digest = commit(salt, envelope_of(statement).signed_hash, "source-accuracy", Label.FAIL)
    committed = by_node(platform, probe_message([digest], committing_agent=node))
    revealed = RevealedProbe(envelope_of(committed).signed_hash, salt)
    label = by_node(platform, gold_label_message(statement, labelling_agent=node, probe=revealed))
    evidence = [envelope_of(STATEMENT).signed_hash]
    dispute = signed_gold_dispute(label, VERIFIER_A, evidence=evidence)
    answers = [envelope_of(dispute).signed_hash]
    answer = by_node(platform, gold_label_message(statement, labelling_agent=node, answers=answers, number=2))
    verdict = signed_response(statement, VERIFIER_A)
    return [signed_registration(31), committed, statement, verdict, label, dispute, answer]


async def _records(platform: Platform) -> None:
    """Register passports, and have a statement and a verdict come out of them."""
    passports = signed_world(agent_id(AUTHOR), agent_key(AUTHOR), key_id(AUTHOR))
    hashes = [sha256_digest(one) for one in passports]
    statement = signed_statement(AUTHOR, claim="It came out of a run.", generated_by=hashes[:1])
    verdict = signed_response(statement, VERIFIER_A, generated_by=hashes[1:2])
    macs = [possession_mac(agent_id(AUTHOR), one) for one in passports]
    signed = [signed_record(AUTHOR, content=one, possession_mac=mac) for one, mac in zip(passports, macs, strict=True)]
    records = [Submission(read_message(one), blobs=(blob,)) for one, blob in zip(signed, passports, strict=True)]
    records += pack_submissions(AUTHOR)
    records += packet_submissions(AUTHOR, envelope_of(STATEMENT).signed_hash, sha256_digest(SOURCE))
    receipts_of(await platform.append([*records, *(Submission(read_message(one)) for one in (statement, verdict))]))


def _checking() -> list[bytes]:
    """Return a request with everything, a challenge with everything, and what is said to both."""
    statement = signed_statement(AUTHOR, claim="The limit is forty feet.")
    request = signed_request(
        statement,
        VERIFIER_A,
        deadline=TIME.replace(year=2999),
        wanted_verdicts=3,
        eligible_verifiers=[agent_id(VERIFIER_A), agent_id(VERIFIER_B)],
    )
    counter = signed_statement(VERIFIER_B, claim="The limit is fifty feet.", contradicts=[reference_to(statement)])
    first = signed_response(statement, VERIFIER_B, confidence=1)
    challenge = signed_response(
        statement,
        VERIFIER_B,
        verdict=Verdict.CHALLENGED,
        reason=SAYS,
        request=reference_to(request),
        supersedes=reference_to(first),
        evidence=[pointer_to()],
        counter_statement=reference_to(counter),
        cross_references=[reference_to(counter)],
    )
    answer = signed_answer(challenge, AUTHOR, evidence=[pointer_to()])
    return [statement, request, counter, first, challenge, signed_decline(request, VERIFIER_A), answer]


async def _exchange(platform: Platform) -> None:
    """Agree with a peer, note and report its checkpoints, and take a statement from it that has the id of another."""
    peer = PeerSimulator()
    key = agent_key(3).public_key
    agreed = Agreement(
        peer.origin, "https://peer.example", peer.log_key, key, Boundary.PUBLIC, PeerQuota(9, 9), private_address=True
    )
    statement = signed_statement(AUTHOR, claim="Café owners want tables.", confidence=0.5)
    taken = [signed_registration(AUTHOR), statement, signed_request(statement, AUTHOR)]
    peer.add(*taken)
    notes = peer.checkpoint(), peer.checkpoint(root=bytes(32))
    noted = [
        agreed.message(platform.node, TIME),
        checkpoint_message(platform.node, peer.origin, notes[0], TIME),
        equivocation_message(platform.node, peer.origin, notes, (), TIME),
    ]
    submissions = [Submission(message) for message in noted]
    for place, document in enumerate(taken):
        message = scope_message(read_message(document), peer.origin)
        submissions.append(Submission(message, origin=peer.origin, origin_index=place, origin_received_at=TIME))
    receipts_of(await platform.append(submissions))


async def _take_back_and_erase(platform: Platform, statement: bytes, verdict: bytes) -> None:
    """Have a statement revised and retracted, a verdict retracted, and a passage of another source erased."""
    revision = signed_statement(
        AUTHOR,
        claim="They want tables and chairs.",
        statement_id=message_id("revision"),
        was_revision_of=reference_to(statement),
    )
    other = b"Name and address: Elm Street."
    left = b" " * 16 + other[16:]
    source = signed_source(
        OPERATOR_A,
        source=other,
        source_id="urn:doc:test:other",
        licence="CC-BY-4.0",
        rights_holder="City clerk",
        retain_until=TIME.replace(year=2999),
    )
    cited = [segment("address", source=other, source_id="urn:doc:test:other")]
    receipts_of(await platform.submit_many([source, revision, signed_retraction(statement, AUTHOR)]))
    await platform.sources.put(sha256_digest(other), pieces(other))
    erasure = source_redaction_message(
        sha256_digest(other),
        redacting_agent=platform.node.agent_id,
        byte_ranges=[ByteRange(0, 16)],
        redacted_document_hash=sha256_digest(left),
    )
    receipts_of(
        await platform.submit_many(
            [
                signed_statement(AUTHOR, claim="There is an address.", evidence=cited),
                signed_retraction(verdict, VERIFIER_B),
                platform.node.sign(erasure).envelope.received,
            ]
        )
    )


def _about_keys(platform: Platform) -> list[bytes]:
    """Return messages about keys and admission: a rotation, a revocation, a deactivation and a policy."""
    invitation = admission_policy_message(
        platform.node.agent_id,
        allowed_agents=[agent_id(51)],
        invitations=[invitation_hash("come-in")],
        quotas={"address": {"agents": 50}},
    )
    return [
        by_node(platform, invitation),
        signed_registration(51, invitation="come-in"),
        signed_key_registration(51, 151, replaces=[key_id(51)]),
        revocation_by_node(platform, 51, not_trusted_since=3),
        signed_registration(52, agent=description(52, person=True)),
        signed_registration(53),
        signed_key_registration(53, 153, replaces=[key_id(53)]),
        signed_deactivation(52, reason="It has left."),
    ]


async def test_every_property_has_the_type_that_it_should(graph: Store) -> None:
    nodes: dict[str, dict[str, Any]] = {}
    for row in await run_raw(graph, "MATCH (n) RETURN labels(n) AS labels, properties(n) AS found"):
        (label,) = row["labels"]
        if label.startswith("Search"):
            assert sorted(row["found"]) == ["text", "text_key"]
            continue
        nodes.setdefault(label, {}).update(typed(row["found"], NODES[label]))
    assert {label: sorted(found) for label, found in nodes.items()} == {
        label: sorted(properties) for label, properties in NODES.items()
    }


async def test_every_relationship_has_its_ends_and_the_types_that_it_should(graph: Store) -> None:
    found: dict[str, set[str]] = {}
    query = """
        MATCH (a)-[r]->(b)
        RETURN type(r) AS type, labels(a)[0] AS start, labels(b)[0] AS end, properties(r) AS found
    """
    for row in await run_raw(graph, query):
        ends, properties = RELATIONSHIPS[row["type"]]
        assert row["start"] in ends[0].split("|") and row["end"] in ends[1].split("|")
        found.setdefault(row["type"], set()).update(typed(row["found"], properties))
    assert found == {name: set(properties) for name, (_, properties) in RELATIONSHIPS.items()}


def typed(found: dict[str, Any], properties: Properties) -> dict[str, Any]:
    """Return the properties that are there, each of which has its type; a time has a zone."""
    there = {name: value for name, value in found.items() if value is not None}
    for name, value in there.items():
        expected = properties[name]
        if isinstance(expected, tuple):
            assert isinstance(value, expected[0]), name
            assert {type(item) for item in value} <= {expected[1]}, name
        else:
            assert type(value) is expected, name
        if isinstance(value, datetime):
            assert value.tzinfo is UTC, name
    return there


async def test_what_was_said_is_what_is_there(graph: Store) -> None:
    registered = envelope_of(REGISTRATION)
    start = SOURCE.index(QUOTE.encode())
    end = start + len(QUOTE)
    query = """
        MATCH (a:Agent {agent_id: $agent})-[g:GENERATED]->(s:Statement {signed_hash: $hash})
        MATCH (s)-[e:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)-[:SOURCED_FROM]->(o:Source)
        RETURN a {.name, .version, .publisher, .capabilities, .public_key, .registered_at, .key_id} AS agent,
               s {.statement_id, .claim_text, .confidence, .content_hash, .generated_at, .generation_method,
                  .machine_check, .verified} AS statement,
               c {.chunk_key, .chunk_id, .doc_id, .text, .byte_start, .byte_end, .timestamp_start, .timestamp_end}
                 AS chunk,
               e {.quote_text, .relevance_score, .start_milliseconds, .end_milliseconds} AS citation,
               d {.document_key, .doc_id, .title, .media_type, .byte_length, .boundary, .held, .registration_hash}
                 AS document,
               properties(o) AS source, g.timestamp AS generated
    """
    (row,) = await run_raw(graph, query, agent=agent_id(AUTHOR), hash=envelope_of(STATEMENT).signed_hash)
    content_hash = row["statement"].pop("content_hash")
    assert re.fullmatch("sha256:[0-9a-f]{64}", content_hash)
    assert row == {
        "agent": {
            "name": "Test agent 1",
            "version": "1",
            "publisher": "Test publisher",
            "capabilities": ["reasoning", "provenance-tracking"],
            "public_key": agent_key(AUTHOR).public_key.did_key,
            "registered_at": TIME,
            "key_id": key_id(AUTHOR),
        },
        "statement": {
            "statement_id": envelope_of(STATEMENT).id,
            "claim_text": CLAIM,
            "confidence": 1.0,
            "generated_at": TIME,
            "generation_method": "semantic-analysis",
            "machine_check": "PASS",
            "verified": True,
        },
        "chunk": {
            "chunk_key": chunk_key(sha256_digest(SOURCE), start, end),
            "chunk_id": generate_chunk_id(SOURCE_ID, start),
            "doc_id": SOURCE_ID,
            "text": QUOTE,
            "byte_start": start,
            "byte_end": end,
            "timestamp_start": "00:02:15",
            "timestamp_end": "00:02:19",
        },
        "citation": {
            "quote_text": QUOTE,
            "relevance_score": 1.0,
            "start_milliseconds": 135_400,
            "end_milliseconds": 138_900,
        },
        "document": {
            "document_key": sha256_digest(SOURCE),
            "doc_id": SOURCE_ID,
            "title": "City council meeting",
            "media_type": "text/vtt",
            "byte_length": len(SOURCE),
            "boundary": "public",
            "held": True,
            "registration_hash": registered.signed_hash,
        },
        "source": {
            "source_id": SOURCE_ID,
            "title": "City council meeting",
            "publisher": "City clerk",
            "origin": "https://example.org/meetings/1",
            "answered_for": False,
            "has_proof": True,
        },
        "generated": TIME,
    }


def test_the_dictionary_names_exactly_what_is_in_the_graph() -> None:
    nodes, relationships = documented()
    assert nodes == {label: set(properties) for label, properties in NODES.items()}
    assert relationships == {name: set(properties) for name, (_, properties) in RELATIONSHIPS.items()}


def documented() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return the properties that the dictionary has for each label and each relationship type."""
    nodes = {label: {column.name for column in term.columns} for label, term in node_terms().items()}
    # What is there only while something is worked out again.
    nodes["LogHead"] -= {"rescore_from", "rescore_after", "resettle_after"}
    relationships = {
        kind: {column.name for start in ("", *starts_with_own(kind)) for column in columns_from(kind, start)}
        for kind in relationship_terms()
    }
    return nodes, relationships


async def test_times_far_away_and_fractions_come_back_as_they_are(platform: Platform) -> None:
    times = [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1600, 2, 29, 1, 2, 3, 4, tzinfo=UTC),
        datetime(2500, 1, 1, 0, 0, 0, 100_000, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    ]
    evidence = [segment(document_hash=None)]
    statements = [signed_statement(1, claim=f"Said at {time}.", time=time, evidence=evidence) for time in times]
    receipts_of(await platform.submit_many([signed_registration(1), *statements]))
    query = "MATCH (:Agent)-[g:GENERATED]->(s) RETURN s.generated_at AS at, g.timestamp AS also ORDER BY s.log_index"
    assert await run_raw(platform.store, query) == [{"at": time, "also": time} for time in times]
