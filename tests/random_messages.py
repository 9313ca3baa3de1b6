"""Hypothesis strategies for signed messages, as bytes: everything that the platform would let in.

Ids are taken from a small pool as well, so that an agent, a chunk and a document may have the same one.
"""

import base64
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from builders import agent_key
from hypothesis import strategies as st

from a2ap.boundary import Boundary
from a2ap.identifiers import agent_id_problem
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
from a2ap.messages.finding import FindingStatus, build_finding
from a2ap.messages.gold_dispute import build_gold_dispute
from a2ap.messages.gold_label import Label, RevealedProbe, build_gold_label
from a2ap.messages.key_registration import build_key_registration
from a2ap.messages.key_revocation import RevocationReason, build_key_revocation
from a2ap.messages.log_key_rotation import build_log_key_rotation
from a2ap.messages.peer_agreement import PeerQuota, build_peer_agreement
from a2ap.messages.peer_checkpoint import build_peer_checkpoint
from a2ap.messages.policy import POLICY_METHODS, build_policy
from a2ap.messages.priors import Priors
from a2ap.messages.probe import build_probe
from a2ap.messages.record_registration import RecordFormat, build_record_registration
from a2ap.messages.redaction import build_disclosure_redaction, build_source_redaction
from a2ap.messages.retraction import RETRACTABLE, build_retraction
from a2ap.messages.source_registration import build_source_registration
from a2ap.messages.statement import Reference, build_statement
from a2ap.messages.verification_decline import build_verification_decline
from a2ap.messages.verification_request import build_verification_request
from a2ap.messages.verification_response import Verdict, build_verification_response
from a2ap.signing.disclosure import Disclosure, make_disclosure
from a2ap.signing.signature import sign_message

texts = st.text(max_size=40)
words = texts.filter(str.strip)
shares = st.one_of(st.floats(0, 1), st.sampled_from([0, 1, 1.0, 0.0, -0.0, 1e-7, 5e-324, 0.1 + 0.2, 1 - 2**-53]))
hashes = st.binary(min_size=32, max_size=32).map(lambda digest: "sha256:" + digest.hex())
uuids = st.uuids(version=4).map(lambda value: f"urn:uuid:{value}")
times = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1)).map(lambda time: time.replace(tzinfo=UTC))
offsets = st.integers(0, 2**31 - 2)
counts = st.floats(0.001, 1000)


def _is_id(value: str) -> bool:
    return agent_id_problem(value) is None and not any(map(str.isspace, value))


ids = st.one_of(
    st.sampled_from(
        ["urn:doc:a", "urn:agent:b-1", "urn:chunk:c", "ni:///sha-256;" + "A" * 43, "https://example.org/d"]
    ),
    st.text(min_size=1, max_size=30).map(lambda text: "urn:x:" + text).filter(_is_id),
)
references = st.builds(Reference, uuids, hashes)
records = st.lists(hashes, max_size=2, unique=True)
agents = st.builds(
    AgentDescription,
    agent_id=ids,
    name=texts,
    version=st.one_of(st.just("1"), texts),
    publisher=texts,
    capabilities=st.lists(texts, max_size=3).map(tuple),
    family=st.sampled_from([None, None, "urn:agent:some-family"]),
)
# The frame of a signed note.
notes = st.text(min_size=1, max_size=40).map(lambda text: f"{text}\n\n\u2014 example.com/log {len(text)}\n")
disclosures = st.builds(make_disclosure, texts, st.binary(min_size=16, max_size=64))


def _sign(message: dict[str, Any]) -> bytes:
    return write_json(sign_message(message, agent_key(1), "urn:agent:b-1#key-1"))


@st.composite
def segments(draw: st.DrawFn, redactable: list[Disclosure]) -> dict[str, Any]:
    start = draw(offsets)
    cue = draw(st.none() | st.tuples(st.integers(0, 10**8), st.integers(0, 10**6)))
    segment = build_segment(
        draw(ids),
        start,
        draw(st.integers(start + 1, 2**31 - 1)),
        document_hash=draw(st.none() | hashes),
        content_hash=draw(st.none() | hashes),
        chunk_id=draw(st.none() | ids),
        quote=draw(st.one_of(st.none(), texts, *([st.sampled_from(redactable)] if redactable else []))),
        start_ms=None if cue is None else cue[0],
        end_ms=None if cue is None else sum(cue),
        relevance_score=draw(st.none() | shares),
        page=draw(st.none() | st.integers(1, 2**31 - 1)),
    )
    if cue is not None and draw(st.booleans()):
        # As others write it: seconds, or a fraction in the text itself, and no milliseconds beside it.
        del segment["timestamp"]["startMilliseconds"], segment["timestamp"]["endMilliseconds"]
    return segment


@st.composite
def statements(draw: st.DrawFn) -> bytes:
    redactable = draw(st.lists(disclosures, max_size=2, unique_by=lambda disclosure: disclosure.digest))
    evidence = draw(st.lists(segments(redactable), min_size=1, max_size=3))
    if draw(st.booleans()):
        evidence.append(evidence[0])
    named = [segment["quoteText"]["digest"] for segment in evidence if isinstance(segment.get("quoteText"), dict)]
    shown = [disclosure for disclosure in redactable if disclosure.digest in named and draw(st.booleans())]
    message = build_statement(
        generated_at=draw(times),
        agent=draw(agents),
        claim=draw(texts),
        confidence=draw(shares),
        evidence=evidence,
        generation_method=draw(st.none() | texts),
        statement_id=draw(uuids),
        supports=draw(st.lists(references, max_size=2)),
        contradicts=draw(st.lists(references, max_size=2)),
        was_revision_of=draw(st.none() | references),
        generated_by=draw(records),
        disclosures=shown,
    )
    if draw(st.booleans()):
        zone = timezone(timedelta(minutes=draw(st.integers(-14 * 60, 14 * 60))))
        message["generatedAtTime"] = draw(times).astimezone(zone).isoformat()
    return _sign(message)


@st.composite
def responses(draw: st.DrawFn) -> bytes:
    criteria = draw(st.lists(st.text(min_size=1, max_size=20), max_size=3, unique=True))
    reason = draw(st.one_of(st.none(), texts, disclosures))
    texts_or_disclosures = [draw(texts | disclosures) for _ in criteria]
    statuses = [draw(st.sampled_from(FindingStatus)) for _ in criteria]
    hidden = {part.digest: part for part in [reason, *texts_or_disclosures] if isinstance(part, Disclosure)}
    verdict = draw(st.sampled_from([verdict for verdict in Verdict if verdict is not Verdict.VALIDATED]))
    return _sign(
        build_verification_response(
            response_id=draw(uuids),
            responded_at=draw(times),
            responding_agent=draw(ids),
            target_statement=draw(uuids),
            target_hash=draw(st.none() | hashes),
            verdict=verdict,
            confidence=draw(shares),
            findings=[
                build_finding(criterion, status, evidence, draw(shares))
                for criterion, status, evidence in zip(criteria, statuses, texts_or_disclosures, strict=True)
            ],
            reason=reason,
            disclosures=[disclosure for disclosure in hidden.values() if draw(st.booleans())],
            request=draw(st.none() | references),
            supersedes=draw(st.none() | references),
            evidence=draw(st.lists(pointers(), max_size=2)),
            counter_statement=draw(st.none() | references) if verdict is Verdict.CHALLENGED else None,
            cross_references=draw(st.lists(references, max_size=2, unique_by=lambda reference: reference.target_hash)),
            generated_by=draw(records),
        )
    )


@st.composite
def pointers(draw: st.DrawFn) -> dict[str, Any]:
    return {name: value for name, value in draw(segments([])).items() if name != "quoteText"}


@st.composite
def declines(draw: st.DrawFn) -> bytes:
    message = build_verification_decline(
        decline_id=draw(uuids),
        declined_at=draw(times),
        declining_agent=draw(ids),
        request=draw(uuids),
        request_hash=draw(hashes),
        target_statement=draw(uuids),
        target_hash=draw(hashes),
        reason=draw(words),
    )
    return _sign(message)


@st.composite
def answers(draw: st.DrawFn) -> bytes:
    message = build_challenge_answer(
        answer_id=draw(uuids),
        answered_at=draw(times),
        answering_agent=draw(ids),
        target_verification=draw(uuids),
        target_hash=draw(hashes),
        text=draw(words),
        evidence=draw(st.lists(pointers(), max_size=2)),
    )
    return _sign(message)


@st.composite
def requests(draw: st.DrawFn) -> bytes:
    requested_at = draw(times)
    deadline = draw(st.none() | st.timedeltas(timedelta(seconds=1), timedelta(days=999)))
    message = build_verification_request(
        request_id=draw(uuids),
        requested_at=requested_at,
        requesting_agent=draw(ids),
        target_statement=draw(uuids),
        target_hash=draw(st.none() | hashes),
        criteria=draw(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=3, unique=True)),
        deadline=None if deadline is None else requested_at + deadline,
        wanted_verdicts=draw(st.none() | st.integers(1, 1000)),
        eligible_verifiers=draw(st.none() | st.lists(ids, min_size=1, max_size=3, unique=True)),
    )
    return _sign(message) if draw(st.booleans()) else write_json(message)


@st.composite
def registrations(draw: st.DrawFn) -> bytes:
    agent = draw(agents)
    key_id = f"{agent.agent_id}#key-1"
    message = build_agent_registration(
        registration_id=draw(uuids),
        registered_at=draw(times),
        agent=agent,
        key_id=key_id,
        public_key=agent_key(1).public_key,
        alias=draw(st.sampled_from([None, "agent:claude-4.5:pubkey"])),
        recovery_key=draw(st.sampled_from([None, agent_key(2).public_key])),
    )
    if draw(st.booleans()):
        message["key"]["publicKey"] = agent_key(1).public_key.base64
    return write_json(sign_message(message, agent_key(1), key_id))


@st.composite
def sources(draw: st.DrawFn) -> bytes:
    message = build_source_registration(
        registration_id=draw(uuids),
        registered_at=draw(times),
        registering_agent=draw(ids),
        source_id=draw(ids),
        document_hash=draw(hashes),
        boundary=draw(st.sampled_from(Boundary)),
        title=draw(texts),
        publisher=draw(st.none() | texts),
        origin=draw(st.sampled_from([None, "https://example.org/meetings/1"])),
        media_type=draw(st.none() | texts),
        byte_length=draw(st.none() | offsets),
        licence=draw(st.none() | texts),
        rights_holder=draw(st.none() | texts),
        retain_until=draw(st.none() | times),
    )
    return _sign(message)


@st.composite
def endorsements(draw: st.DrawFn) -> bytes:
    message = build_endorsement(
        endorsement_id=draw(uuids),
        endorsed_at=draw(times),
        endorsing_agent=draw(ids),
        endorsed_agent=draw(ids),
        target_hash=draw(hashes),
    )
    return _sign(message)


@st.composite
def policies(draw: st.DrawFn) -> bytes:
    message = build_policy(
        policy_id=draw(uuids),
        issued_at=draw(times),
        issuing_agent=draw(ids),
        threshold=draw(shares),
        quorum=draw(st.integers(1, 1000)),
        seeds=draw(st.lists(ids, max_size=3, unique=True)),
        method=draw(st.sampled_from(POLICY_METHODS)),
        criteria=draw(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=3, unique=True)),
        unseeded_weight=draw(shares),
        version=draw(st.none() | st.integers(1, 9)),
        epoch_length=draw(st.none() | st.integers(1, 1000)),
        priors=draw(st.none() | st.builds(Priors, claim=st.tuples(counts, counts), family_correlation=shares)),
        draw=draw(st.none() | st.builds(DrawRules, st.just(1000), st.just(1000), st.integers(1, 10**6))),
    )
    return _sign(message)


@st.composite
def epochs(draw: st.DrawFn) -> bytes:
    pairs = st.tuples(counts, counts)
    verdicts = st.integers(0, 10**6)
    copied = st.builds(CopyEvidence, st.integers(7, 10**6), st.integers(0, 7), counts)
    found = st.builds(Estimate, ids, texts, pairs, pairs, verdicts, shares, ids, copied, st.floats(0.001, 1))
    levels = draw(st.integers(1, 3))
    of_levels = st.tuples(*[st.floats(0.001, 1)] * levels)
    models = draw(
        st.lists(
            st.builds(CriterionModel, texts, of_levels, of_levels, st.floats(0, 0.5), st.floats(0.001, 1)),
            max_size=2,
            unique_by=lambda one: one.criterion,
        )
    )
    criteria = st.sampled_from([one.criterion for one in models]) if models else st.nothing()
    known = st.none() | st.tuples(pairs, pairs)
    record = st.builds(OperatorRecord, ids, criteria, st.tuples(*[st.tuples(pairs, pairs)] * levels), known)
    records = st.lists(record, max_size=2 if models else 0, unique_by=lambda one: (one.operator, one.criterion))
    message = build_epoch(
        epoch_id=draw(uuids),
        issued_at=draw(times),
        issuing_agent=draw(ids),
        log_size=draw(st.integers(1, 10**9)),
        policy=draw(hashes),
        calibration=draw(st.sampled_from([(), ((0.0, 0.0), (1.0, 1.0)), ((0.5, 0.25), (0.75, 0.25))])),
        estimates=draw(
            st.lists(
                st.builds(Estimate, ids, texts, pairs, pairs, verdicts, shares) | found,
                max_size=3,
                unique_by=lambda one: (one.agent, one.criterion),
            )
        ),
        models=models,
        records=draw(records),
        part=draw(st.integers(0, 2)),
        parts=3,
    )
    return _sign(message)


@st.composite
def key_registrations(draw: st.DrawFn) -> bytes:
    agent = draw(ids)
    message = build_key_registration(
        registration_id=draw(uuids),
        registered_at=draw(times),
        registering_agent=agent,
        key_id=f"{agent}#key-2",
        new_key=agent_key(2),
        alias=draw(st.sampled_from([None, "agent:claude-4.5:pubkey"])),
        replaces=draw(st.sampled_from([[], [f"{agent}#key-1"], [f"{agent}#key-1", f"{agent}#key-0"]])),
        recovery_key=draw(st.sampled_from([None, agent_key(3).public_key])),
    )
    return _sign(message)


@st.composite
def key_revocations(draw: st.DrawFn) -> bytes:
    agent = draw(ids)
    message = build_key_revocation(
        revocation_id=draw(uuids),
        revoked_at=draw(times),
        revoking_agent=draw(ids),
        agent=agent,
        key_id=f"{agent}#key-1",
        reason=draw(st.sampled_from(RevocationReason)),
        not_trusted_since=draw(st.none() | offsets | times),
    )
    return _sign(message)


@st.composite
def deactivations(draw: st.DrawFn) -> bytes:
    message = build_agent_deactivation(
        deactivation_id=draw(uuids),
        deactivated_at=draw(times),
        deactivating_agent=draw(ids),
        agent=draw(ids),
        reason=draw(st.none() | texts),
    )
    return _sign(message)


@st.composite
def versions(draw: st.DrawFn) -> bytes:
    agent, family = draw(st.lists(ids, min_size=2, max_size=2, unique=True))
    message = build_agent_version(
        announcement_id=draw(uuids),
        announced_at=draw(times),
        announcing_agent=draw(ids),
        agent=agent,
        target_hash=draw(hashes),
        family=family,
    )
    return _sign(message)


@st.composite
def admission_policies(draw: st.DrawFn) -> bytes:
    message = build_admission_policy(
        policy_id=draw(uuids),
        issued_at=draw(times),
        issuing_agent=draw(ids),
        mode=draw(st.sampled_from(AdmissionMode)),
        allowed_agents=draw(st.lists(ids, max_size=3, unique=True)),
        invitations=draw(st.lists(hashes, max_size=3, unique=True)),
    )
    return _sign(message)


@st.composite
def log_key_rotations(draw: st.DrawFn) -> bytes:
    message = build_log_key_rotation(
        rotation_id=draw(uuids), issued_at=draw(times), issuing_agent=draw(ids), origin=draw(ids), note=draw(notes)
    )
    return _sign(message)


@st.composite
def peer_agreements(draw: st.DrawFn) -> bytes:
    message = build_peer_agreement(
        agreement_id=draw(uuids),
        issued_at=draw(times),
        issuing_agent=draw(ids),
        origin=draw(ids),
        log_key=draw(st.sampled_from(["example.com/log+bd1b7f9c+AUcT", "a+0+b"])),
        url=draw(st.sampled_from([None, "https://peer.example.org"])),
        transport_key=draw(st.sampled_from([None, agent_key(4).public_key])),
        clearance=draw(st.sampled_from(Boundary)),
        quota=PeerQuota(draw(offsets), draw(offsets)),
        suspended=draw(st.booleans()),
    )
    return _sign(message)


@st.composite
def peer_checkpoints(draw: st.DrawFn) -> bytes:
    message = build_peer_checkpoint(
        message_id=draw(uuids), issued_at=draw(times), issuing_agent=draw(ids), origin=draw(ids), checkpoint=draw(notes)
    )
    return _sign(message)


@st.composite
def equivocations(draw: st.DrawFn) -> bytes:
    first, second = draw(st.lists(notes, min_size=2, max_size=2, unique=True))
    message = build_equivocation(
        equivocation_id=draw(uuids),
        reported_at=draw(times),
        reporting_agent=draw(ids),
        origin=draw(ids),
        checkpoints=(first, second),
        consistency_proof=draw(st.none() | st.lists(st.binary(min_size=32, max_size=32), max_size=3)),
        successions=draw(st.lists(notes, max_size=2)),
    )
    return _sign(message)


@st.composite
def retractions(draw: st.DrawFn) -> bytes:
    message = build_retraction(
        retraction_id=draw(uuids),
        retracted_at=draw(times),
        retracting_agent=draw(ids),
        target_message=draw(uuids),
        target_type=draw(st.sampled_from(RETRACTABLE)),
        target_hash=draw(hashes),
        reason=draw(st.none() | texts),
    )
    return _sign(message)


@st.composite
def redactions(draw: st.DrawFn) -> bytes:
    message = build_disclosure_redaction(
        redaction_id=draw(uuids),
        redacted_at=draw(times),
        redacting_agent=draw(ids),
        target_hash=draw(hashes),
        disclosure_digests=draw(st.lists(hashes, min_size=1, max_size=3, unique=True)),
        redacted_document_hash=draw(hashes),
        reason=draw(texts),
        legal_basis=draw(st.none() | texts),
    )
    return _sign(message)


@st.composite
def source_redactions(draw: st.DrawFn) -> bytes:
    edges = sorted(draw(st.lists(offsets, max_size=6, unique=True)))
    message = build_source_redaction(
        redaction_id=draw(uuids),
        redacted_at=draw(times),
        redacting_agent=draw(ids),
        document_hash=draw(hashes),
        byte_ranges=[ByteRange(*pair) for pair in zip(edges[::2], edges[1::2], strict=False)],
        redacted_document_hash=draw(st.none() | hashes),
        reason=draw(texts),
        legal_basis=draw(st.none() | texts),
    )
    return _sign(message)


salts = st.binary(min_size=16, max_size=64).map(lambda salt: base64.b64encode(salt).decode("ascii"))


@st.composite
def gold_labels(draw: st.DrawFn) -> bytes:
    message = build_gold_label(
        label_id=draw(uuids),
        labelled_at=draw(times),
        labelling_agent=draw(ids),
        target_statement=draw(uuids),
        target_hash=draw(hashes),
        criterion=draw(st.sampled_from(["source-accuracy", "urn:criterion:tone"])),
        label=draw(st.sampled_from(Label)),
        reason=draw(st.none() | texts),
        probe=draw(st.none() | st.builds(RevealedProbe, hashes, salts)),
        answers=draw(st.lists(hashes, max_size=3, unique=True)),
    )
    return _sign(message)


@st.composite
def gold_disputes(draw: st.DrawFn) -> bytes:
    message = build_gold_dispute(
        dispute_id=draw(uuids),
        disputed_at=draw(times),
        disputing_agent=draw(ids),
        target_label=draw(uuids),
        target_hash=draw(hashes),
        reason=draw(texts),
        evidence=draw(st.lists(hashes, max_size=3, unique=True)),
    )
    return _sign(message)


@st.composite
def probes(draw: st.DrawFn) -> bytes:
    message = build_probe(
        probe_id=draw(uuids),
        committed_at=draw(times),
        committing_agent=draw(ids),
        commitments=draw(st.lists(hashes, min_size=1, max_size=3, unique=True)),
    )
    return _sign(message)


@st.composite
def record_registrations(draw: st.DrawFn) -> bytes:
    message = build_record_registration(
        registration_id=draw(uuids),
        registered_at=draw(times),
        registering_agent=draw(ids),
        format=draw(st.sampled_from(RecordFormat)),
        document_hash=draw(hashes),
        boundary=draw(st.sampled_from(Boundary)),
    )
    return _sign(message)


messages = st.one_of(
    record_registrations(),
    gold_labels(),
    gold_disputes(),
    probes(),
    responses(),
    requests(),
    registrations(),
    sources(),
    endorsements(),
    policies(),
    key_registrations(),
    key_revocations(),
    deactivations(),
    versions(),
    admission_policies(),
    log_key_rotations(),
    peer_agreements(),
    peer_checkpoints(),
    equivocations(),
    epochs(),
    retractions(),
    redactions(),
    source_redactions(),
    declines(),
    answers(),
)
