"""Adds accepted messages to the state of a batch, so that the next message may build on them."""

from dataclasses import replace

from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.epoch import Epoch
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.key_events import KeyMessage, key_event_of
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.probe import Probe
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.retraction import Retraction
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from graph.kinds.admission_mode import record_admission
from graph.kinds.epoch_check import EpochPart
from graph.kinds.key_checks import authority_of
from graph.kinds.peer_checks import log_key_of
from graph.kinds.signatures import signing_key
from graph.kinds.state import (
    DocumentRecord,
    GoldDisputeRecord,
    GoldRecord,
    KeyRecord,
    ProbedRecord,
    ProbeRecord,
    Registrant,
    RequestRecord,
    State,
    StatementRecord,
    VerdictRecord,
)
from graph.kinds.targets import judged_statement
from graph.versions.membership import membership_after


def record_message(message: Message, state: State, *, of_peer: bool) -> None:
    """Add an accepted message to the state, at the next place of the log."""
    envelope = message.envelope
    # The first that had the id has it; a twin is kept beside it (docs/decisions/0091).
    state.ids.setdefault(envelope.id, envelope.signed_hash)
    _record_keys(message, state)
    record_admission(message, state)
    if isinstance(message, AgentRegistration | AgentVersion):
        _record_membership(message, state)
    match message:
        case AgentRegistration():
            state.agents[envelope.agent_id] = envelope.signed_hash
        case SourceRegistration():
            _record_source(message, state, of_peer=of_peer)
        case RecordRegistration():
            _record_record(message, state, of_peer=of_peer)
        case PeerAgreement():
            state.peer_keys[message.origin] = log_key_of(message)
        case ProvenanceStatement():
            state.add_statement(StatementRecord(envelope.signed_hash, envelope.id, envelope.agent_id))
            state.probed[envelope.signed_hash] = ProbedRecord(state.place, envelope.agent_id, judges=False)
            if message.contradicts:
                contradicted = {reference.target_hash for reference in message.contradicts}
                state.contradicted[envelope.signed_hash] = contradicted
        case VerificationRequest():
            _record_request(message, state)
        case VerificationResponse():
            state.judging.add(envelope.agent_id)
            _record_verdict(message, state)
        case Retraction():
            state.retracted.setdefault(message.target_hash, envelope.id)
        case Epoch():
            state.last_epoch_part = EpochPart.of(message, state.place)
        case GoldLabel() | GoldDispute() | Probe():
            _record_gold(message, state)
        case _:
            pass
    state.place += 1


def _record_request(message: VerificationRequest, state: State) -> None:
    envelope, target = message.envelope, judged_statement(message, state)
    if target is not None:
        state.requests[envelope.signed_hash] = RequestRecord(
            envelope.signed_hash, envelope.id, target.signed_hash, message.eligible_verifiers
        )


def _record_verdict(message: VerificationResponse, state: State) -> None:
    envelope, target = message.envelope, judged_statement(message, state)
    if target is not None:
        state.verdicts[envelope.signed_hash] = VerdictRecord(
            envelope.signed_hash, envelope.id, envelope.agent_id, message.verdict, target.signed_hash, target.agent_id
        )


def _record_gold(message: GoldLabel | GoldDispute | Probe, state: State) -> None:
    name, agent_id = message.envelope.signed_hash, message.envelope.agent_id
    match message:
        case GoldLabel():
            if message.probe is not None and agent_id == state.node_agent and message.target_hash in state.probed:
                state.probing.add(state.probed[message.target_hash].agent_id)
            state.gold_labels[name] = GoldRecord(
                name, message.envelope.id, agent_id, message.target_hash, message.criterion
            )
        case GoldDispute():
            state.gold_disputes[name] = GoldDisputeRecord(name, message.envelope.id, agent_id, message.target_hash)
        case Probe():
            state.probes[name] = ProbeRecord(agent_id, frozenset(message.commitments), state.place)


def _record_membership(message: AgentRegistration | AgentVersion, state: State) -> None:
    member = membership_after(message, state.known_families, state.place, signing_key(message, state))
    if member is not None:
        state.add_membership(member)


def _record_keys(message: Message, state: State) -> None:
    envelope, place = message.envelope, state.place
    match message:
        case AgentRegistration():
            state.add_key(KeyRecord(message.key_id, envelope.agent_id, message.public_key, message.alias, place))
            if message.recovery_key_hash is not None:
                state.recovery_hashes[envelope.agent_id] = message.recovery_key_hash
        case KeyRegistration() | KeyRevocation() | AgentDeactivation():
            since = None
            if isinstance(message, KeyRevocation):
                time = message.not_trusted_since_time
                since = message.not_trusted_since_index if time is None else state.place_of(time)
            authority, signed_by = authority_of(message, state), signing_key(message, state)
            event = key_event_of(message, place, signed_by=signed_by, authority=authority, since=since)
            if event is not None:
                state.key_events[envelope.signed_hash] = event
            _record_key_message(message, state)
        case _:
            pass


def _record_key_message(message: KeyMessage, state: State) -> None:
    # The effect of a revocation on keys is read from the graph: it is the last of its batch.
    match message:
        case KeyRegistration():
            agent_id = message.envelope.agent_id
            for key_id in message.replaces:
                state.retire_key(key_id)
            state.add_key(KeyRecord(message.key_id, agent_id, message.public_key, message.alias, state.place))
            if message.recovery_key_hash is not None:
                state.recovery_hashes[agent_id] = message.recovery_key_hash
        case AgentDeactivation():
            state.deactivated.setdefault(message.agent, state.place)
        case _:
            pass


def _record_source(message: SourceRegistration, state: State, *, of_peer: bool) -> None:
    known = state.documents.get(message.document_hash)
    if known is None:
        known = DocumentRecord(message.document_hash, False, message.byte_length, message.media_type, None, None)
    # The first registration names the document, and a later one makes its class stricter, unless only one of the two
    # agents has a right over the bytes: then it is the owner (docs/decisions/0280).
    agent, registrant = message.envelope.agent_id, Registrant.of(message, of_peer=of_peer)
    after = replace(
        known,
        boundary=state.class_after(known, registrant),
        sources=known.sources | {message.source_id},
        registrants=(*known.registrants, registrant),
    )
    dates = [known.retain_until]
    if state.right_of(after, agent) > state.right_of(known, known.registered_by):
        after = replace(after, registration_hash=message.envelope.signed_hash, registered_by=agent)
        # The date of a former owner goes. If the node registered the source, the date may be the operator's, and stays.
        if state.is_answered_for(agent) and state.node_agent not in state.registrants_of(known):
            dates = []
    owner = state.owner_of(after)
    # Nothing in the log tells that a stranger has the bytes, and an erasure erases for all agents.
    if state.is_answered_for(owner) and agent in (owner, state.node_agent):
        dates.append(message.retain_until)
    retain_until = min((date for date in dates if date is not None), default=None)
    state.documents[message.document_hash] = replace(after, retain_until=retain_until)


def _record_record(message: RecordRegistration, state: State, *, of_peer: bool) -> None:
    known = state.documents.get(message.document_hash)
    if known is None:
        known = DocumentRecord(message.document_hash, False, None, None, None, None)
    registrant = Registrant.of(message, of_peer=of_peer)
    boundary = known.boundary or message.boundary
    if message.envelope.agent_id != state.node_agent:
        # The node signs for unknown senders, which may not take from readers the access that others gave them.
        boundary = state.class_after(known, registrant)
    registrants = (*known.registrants, registrant)
    state.documents[message.document_hash] = replace(known, boundary=boundary, registrants=registrants)
