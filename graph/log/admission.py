"""What a message must satisfy to be accepted, given what the graph knows: pure checks, no I/O.

`check_message` raises and changes nothing; `record_message` then adds an accepted message to the state, so
that the next message of the batch may build on it. The order of the checks:
(1) the same signed bytes again, or the same id for other bytes;
(2) the key is registered for the agent that the message names, and made the signature (design §4.6);
(3) what the message points at is here and is what the message says it is (design §4.5).
"""

from dataclasses import replace

from a2ap.agent_deactivation import AgentDeactivation
from a2ap.agent_registration import AgentRegistration, verify_possession
from a2ap.agent_version import AgentVersion
from a2ap.boundary import strictest
from a2ap.data_integrity import verify_proof
from a2ap.endorsement import Endorsement
from a2ap.equivocation import Equivocation
from a2ap.errors import SignatureError
from a2ap.key_events import KeyMessage, key_event_of
from a2ap.key_registration import KeyRegistration
from a2ap.key_revocation import KeyRevocation
from a2ap.log_key_rotation import LogKeyRotation
from a2ap.message import Message, MessageType
from a2ap.peer_agreement import PeerAgreement
from a2ap.peer_checkpoint import PeerCheckpoint
from a2ap.redaction import Redaction
from a2ap.retraction import Retraction
from a2ap.signature import verify_signature
from a2ap.source_registration import SourceRegistration
from a2ap.statement import ProvenanceStatement
from a2ap.verification_request import VerificationRequest
from a2ap.verification_response import VerificationResponse
from graph.errors import ConflictError, ForbiddenError, KeyNotInUseError, NotRegisteredError, TargetError
from graph.federation.peer_checks import check_peer_message, log_key_of
from graph.keys.admission_mode import check_admitted, record_admission
from graph.keys.key_checks import authority_of, check_key_message, recovery_key_in
from graph.log.imported import check_own_agent, check_taken, is_countersigned, node_of
from graph.log.state import DocumentRecord, KeyRecord, State, StatementRecord, VerdictRecord
from graph.retention.redaction_check import check_quotes, check_redaction
from graph.retention.retraction_check import check_retraction
from graph.transparency.key_history import check_rotation
from graph.versions.membership import check_version, membership_after

_AGENT_MEMBERS = {
    MessageType.STATEMENT: "agent.@id",
    MessageType.VERIFICATION_REQUEST: "requestingAgent",
    MessageType.VERIFICATION_RESPONSE: "respondingAgent",
    MessageType.AGENT_REGISTRATION: "agent.@id",
    MessageType.SOURCE_REGISTRATION: "registeringAgent",
    MessageType.ENDORSEMENT: "endorsingAgent",
    MessageType.POLICY: "issuingAgent",
    MessageType.KEY_REGISTRATION: "registeringAgent",
    MessageType.KEY_REVOCATION: "revokingAgent",
    MessageType.AGENT_DEACTIVATION: "deactivatingAgent",
    MessageType.AGENT_VERSION: "announcingAgent",
    MessageType.ADMISSION_POLICY: "issuingAgent",
    MessageType.LOG_KEY_ROTATION: "issuingAgent",
    MessageType.PEER_AGREEMENT: "issuingAgent",
    MessageType.PEER_CHECKPOINT: "issuingAgent",
    MessageType.EQUIVOCATION: "reportingAgent",
    MessageType.RETRACTION: "retractingAgent",
    MessageType.REDACTION: "redactingAgent",
}

# What only the node itself may say, on behalf of its operator.
_OF_THE_NODE = {
    MessageType.POLICY: "sets the policy here",
    MessageType.ADMISSION_POLICY: "says who is admitted here",
    MessageType.LOG_KEY_ROTATION: "changes the log's key",
    MessageType.PEER_AGREEMENT: "makes agreements with peers",
    MessageType.PEER_CHECKPOINT: "takes in what peers have",
}


def check_message(
    message: Message,
    state: State,
    *,
    countersigned: bool = False,
    accept_unbound: bool = False,
    origin: str | None = None,
) -> None:
    """Raise if the message cannot be accepted at `state`.

    `countersigned` says that the node signed an unsigned request for a caller that it knows (design §4.5);
    `accept_unbound`, that a verdict without `targetHash` is taken (it is shown and weighs nothing); `origin`, that it
    is out of a peer's log, and its names are scoped by it: then its id may stand for other bytes too (design §4.7).
    """
    if origin is None:
        check_own_agent(message)
        _check_id(message, state)
    else:
        check_taken(message, origin)
    match message:
        case AgentRegistration():
            _check_registration(message, state)
        case VerificationRequest():
            _check_request(message, state, countersigned, origin)
        case _:
            check_signature(message, state)
    _check_operator(message, state)
    if origin is None:
        check_admitted(message, state)
    match message:
        case KeyRegistration() | KeyRevocation() | AgentDeactivation():
            check_key_message(message, state)
        case AgentVersion():
            check_version(message, state.known_families)
        case LogKeyRotation():
            check_rotation(message, state.log_keys, state.place)
        case Endorsement():
            _check_endorsement(message, state)
        case ProvenanceStatement():
            _check_source_names(message)
            _check_references(message, state)
            check_quotes(message, state)
        case VerificationResponse():
            if message.target_hash is None and not accept_unbound and origin is None:
                raise TargetError(
                    f"{message.envelope.id} does not say which bytes it judges: targetHash is missing", "targetHash"
                )
            target_of(message, state)
        case Retraction():
            check_retraction(message, state)
        case Redaction():
            check_redaction(message, state)
        case PeerAgreement() | PeerCheckpoint() | Equivocation():
            check_peer_message(message, state)
        case _:
            pass


def record_message(message: Message, state: State) -> None:
    """Add an accepted message to the state, at the next place of the log."""
    envelope = message.envelope
    # The first that had the id has it; a twin is kept beside it (design §4.7).
    state.ids.setdefault(envelope.id, envelope.signed_hash)
    _record_keys(message, state)
    record_admission(message, state)
    if isinstance(message, AgentRegistration | AgentVersion):
        _record_membership(message, state)
    match message:
        case AgentRegistration():
            state.agents[envelope.agent_id] = envelope.signed_hash
        case SourceRegistration():
            _record_source(message, state)
        case PeerAgreement():
            state.peer_keys[message.origin] = log_key_of(message)
        case ProvenanceStatement():
            state.add_statement(StatementRecord(envelope.signed_hash, envelope.id, envelope.agent_id))
        case VerificationResponse():
            name = envelope.signed_hash
            state.verdicts[name] = VerdictRecord(name, envelope.id, envelope.agent_id)
        case Retraction():
            state.retracted.setdefault(message.target_hash, envelope.id)
        case _:
            pass
    state.place += 1


def _record_membership(message: AgentRegistration | AgentVersion, state: State) -> None:
    member = membership_after(message, state.known_families, state.place, signing_key(message, state))
    if member is not None:
        state.memberships[member.agent_id] = member
        state.families.add(member.family)


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
    # What a revocation makes of keys is read from the graph: it is the last of its batch.
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


def signing_key(message: Message, state: State) -> str:
    """Return the id of the key that signed an accepted message; what the signature says where no key has that name."""
    signature = message.envelope.signature
    if signature is None:
        return ""
    key = state.key_of(signature.public_key, message.envelope.agent_id)
    return signature.public_key if key is None else key.key_id


def _check_id(message: Message, state: State) -> None:
    """Raise `ConflictError` if the id already stands for other signed bytes (design §4.7)."""
    known = state.ids.get(message.envelope.id)
    if known is not None and known != message.envelope.signed_hash:
        raise ConflictError(
            f"{message.envelope.id} already stands for other bytes ({known}); "
            "a revision has an id of its own (version 4 or 7) and names this one in prov:wasRevisionOf",
            "@id",
        )


def check_signature(message: Message, state: State) -> None:
    """Raise unless a key registered for the message's own agent made the signature."""
    envelope = message.envelope
    if envelope.agent_id not in state.agents:
        raise NotRegisteredError(f"agent {envelope.agent_id} is not registered", _AGENT_MEMBERS[envelope.type])
    if envelope.signature is None:
        raise SignatureError(f"{envelope.id} is not signed")
    recovery_key = recovery_key_in(message, state)
    if (place := state.deactivated.get(envelope.agent_id)) is not None and not (
        recovery_key is not None and isinstance(message, KeyRevocation)
    ):
        # The recovery key still says which key was stolen: it may have been the thief who ended the agent.
        raise ForbiddenError(
            f"agent {envelope.agent_id} was deactivated by entry {place}", _AGENT_MEMBERS[envelope.type]
        )
    if recovery_key is not None:
        verify_signature(envelope.signature, envelope.signed_bytes, recovery_key)
    else:
        key = _key_of(envelope.signature.public_key, envelope.agent_id, state)
        verify_signature(envelope.signature, envelope.signed_bytes, key.public_key)
        _check_in_use(key, state)
    for proof in envelope.proofs:
        # Where there are both, both must hold, each by a key of this agent (design §4.3).
        key = _key_of(proof.key_reference, envelope.agent_id, state)
        verify_proof(envelope.document, proof, key.public_key)
        _check_in_use(key, state)


def target_of(message: VerificationRequest | VerificationResponse, state: State) -> StatementRecord:
    """Return the statement that a request or response is about; raise `TargetError` if that is not clear.

    With `targetHash`, id and hash must name the same statement. Without it (the form of A2AP §2.2 and §2.3)
    the id must stand for one statement only.
    """
    return find_statement(message.target_statement, message.target_hash, state, "targetStatement")


def find_statement(statement_id: str, target_hash: str | None, state: State, path: str) -> StatementRecord:
    """Return the statement with this id and, where given, this hash of signed bytes."""
    hashes = state.statement_ids.get(statement_id, [])
    if target_hash is not None:
        record = state.statements.get(target_hash)
        if record is not None and record.statement_id == statement_id:
            return record
        if hashes:
            raise TargetError(f"{statement_id} is {hashes[0]} here, not {target_hash}", path)
        raise TargetError(f"statement {statement_id} is not known here", path)
    if len(hashes) == 1:
        return state.statements[hashes[0]]
    if not hashes:
        raise TargetError(f"statement {statement_id} is not known here", path)
    raise TargetError(f"{statement_id} stands for {len(hashes)} statements; targetHash must name one", path)


def _key_of(reference: str, agent_id: str, state: State) -> KeyRecord:
    key = state.key_of(reference, agent_id)
    if key is not None:
        return key
    holders = state.holders_of(reference)
    if holders:
        raise SignatureError(f"key {reference} belongs to {holders[0]}, not to {agent_id}")
    raise NotRegisteredError(f"key {reference} is not registered for {agent_id}", "signature.publicKey")


def _check_in_use(key: KeyRecord, state: State) -> None:
    if key.speaks_at(state.place):
        return
    if key.not_trusted_since is not None:
        reason = f"is not trusted since entry {key.not_trusted_since} ({key.revoked_reason})"
    else:
        reason = f"was replaced by entry {key.retired_at}"
    raise KeyNotInUseError(f"key {key.key_id} {reason}", "signature.publicKey")


def _check_operator(message: Message, state: State) -> None:
    envelope = message.envelope
    does = _OF_THE_NODE.get(envelope.type)
    if does is not None and envelope.agent_id != state.node_agent:
        member = _AGENT_MEMBERS[envelope.type]
        raise ForbiddenError(f"{member} is {envelope.agent_id}; only {state.node_agent} {does}", member)


def _check_registration(message: AgentRegistration, state: State) -> None:
    envelope = message.envelope
    verify_possession(message)
    for proof in envelope.proofs:
        if proof.key_reference not in (message.key_id, message.public_key.did_key):
            raise SignatureError(
                f"the proof is in the name of {proof.key_reference}, and {message.key_id} is registered"
            )
        verify_proof(envelope.document, proof, message.public_key)
    if envelope.agent_id in state.agents:
        raise ConflictError(f"agent {envelope.agent_id} is already registered", "agent.@id")
    if message.key_id in state.keys:
        raise ConflictError(f"key {message.key_id} is already registered", "key.@id")


def _check_request(message: VerificationRequest, state: State, countersigned: bool, origin: str | None) -> None:
    envelope = message.envelope
    by_peer = origin is not None and is_countersigned(message, origin)
    if not countersigned and not by_peer:
        check_signature(message, state)
    elif envelope.agent_id not in state.agents:
        raise NotRegisteredError(f"agent {envelope.agent_id} is not registered", _AGENT_MEMBERS[envelope.type])
    if by_peer and origin is not None and envelope.signature is not None:
        key = _key_of(envelope.signature.public_key, node_of(origin), state)
        verify_signature(envelope.signature, envelope.signed_bytes, key.public_key)
        if envelope.proofs:
            # The node signed for somebody without a key: whose proof would it be?
            raise SignatureError(f"{envelope.id} is signed by its node for another, and has a proof")
    target_of(message, state)


def _check_endorsement(message: Endorsement, state: State) -> None:
    if message.endorsed_agent == message.envelope.agent_id:
        raise TargetError(f"{message.endorsed_agent} endorses itself", "endorsedAgent")
    registration = state.agents.get(message.endorsed_agent)
    if registration is None:
        raise TargetError(f"agent {message.endorsed_agent} is not registered", "endorsedAgent")
    if message.target_hash != registration:
        raise TargetError(
            f"the registration of {message.endorsed_agent} is {registration} here, not {message.target_hash}",
            "targetHash",
        )


def _check_source_names(message: ProvenanceStatement) -> None:
    """Raise where a source is named as if it were bytes: the graph keeps sources under hash or name alike."""
    for index, segment in enumerate(message.evidence):
        if segment.document_hash is None and segment.source_document.startswith("sha256:"):
            raise TargetError(
                f"{segment.source_document} is a hash, which documentHash states", f"evidence[{index}].sourceDocument"
            )


def _check_references(message: ProvenanceStatement, state: State) -> None:
    for path, references in (("supports", message.supports), ("contradicts", message.contradicts)):
        for index, reference in enumerate(references):
            find_statement(reference.id, reference.target_hash, state, f"{path}[{index}]")
    revised = message.was_revision_of
    if revised is not None:
        find_statement(revised.id, revised.target_hash, state, "prov:wasRevisionOf")


def _record_source(message: SourceRegistration, state: State) -> None:
    known = state.documents.get(message.document_hash)
    if known is None:
        known = DocumentRecord(message.document_hash, False, message.byte_length, message.media_type, None, None)
    # The first registration names the document; a later one can only make its boundary class stricter, and its time
    # here shorter.
    boundary = message.boundary if known.boundary is None else strictest(known.boundary, message.boundary)
    registration = known.registration_hash or message.envelope.signed_hash
    dates = [date for date in (known.retain_until, message.retain_until) if date is not None]
    state.documents[message.document_hash] = replace(
        known,
        boundary=boundary,
        registration_hash=registration,
        sources=known.sources | {message.source_id},
        retain_until=min(dates, default=None),
    )
