"""Checks whether a message can be accepted, given the state of the graph: pure checks, no I/O.

`check_message` raises and changes nothing; `graph.kinds.recording` then adds an accepted message to the state. The
order of the checks:
(1) the same signed bytes again, or the same id for other bytes;
(2) the key is registered for the agent that the message names, and made the signature (`graph.kinds.signatures`);
(3) the targets of the message are stored here and are as the message says (`graph.kinds.targets`).
"""

from a2ap.errors import SignatureError
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_registration import AgentRegistration, verify_possession
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.challenge_answer import ChallengeAnswer
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.epoch import Epoch
from a2ap.messages.equivocation import Equivocation
from a2ap.messages.gold_dispute import GoldDispute
from a2ap.messages.gold_label import GoldLabel
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.message import Message, MessageType
from a2ap.messages.peer_agreement import PeerAgreement
from a2ap.messages.peer_checkpoint import PeerCheckpoint
from a2ap.messages.policy import Policy
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.retraction import Retraction
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_decline import VerificationDecline
from a2ap.messages.verification_request import VerificationRequest
from a2ap.messages.verification_response import VerificationResponse
from a2ap.signing.data_integrity import verify_proof
from a2ap.signing.signature import verify_signature
from graph.errors import ConflictError, ForbiddenError, NotRegisteredError, TargetError
from graph.kinds.admission_mode import check_admitted
from graph.kinds.epoch_check import check_epoch
from graph.kinds.gold_check import check_gold_dispute, check_gold_label, check_no_prober
from graph.kinds.key_checks import check_key_message
from graph.kinds.peer_checks import check_peer_message
from graph.kinds.record_check import check_not_erased
from graph.kinds.redaction_check import check_quotes, check_redaction
from graph.kinds.request_checks import check_answer, check_decline, check_reason, check_response
from graph.kinds.retraction_check import check_retraction
from graph.kinds.signatures import AGENT_MEMBERS, check_signature, key_of
from graph.kinds.state import State
from graph.kinds.targets import check_endorsement, check_references, check_seeds, check_source_names, target_of
from graph.log.imported import check_own_agent, check_taken, is_countersigned, node_of
from graph.transparency.key_history import check_rotation
from graph.versions.membership import check_version

# Messages that only the node itself may send, on behalf of its operator.
_OF_THE_NODE = {
    MessageType.POLICY: "sets the policy here",
    MessageType.ADMISSION_POLICY: "says who is admitted here",
    MessageType.LOG_KEY_ROTATION: "changes the log's key",
    MessageType.PEER_AGREEMENT: "makes agreements with peers",
    MessageType.PEER_CHECKPOINT: "takes in what peers have",
    MessageType.EPOCH: "estimates reliabilities here",
    MessageType.GOLD_LABEL: "says what is known here",
    MessageType.PROBE: "commits to labels here",
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

    `countersigned` means that the node signed an unsigned request for a caller that it knows; `accept_unbound`, that a
    verdict without `targetHash` is accepted (it is shown and weighs nothing); `origin`, that the message comes from a
    peer's log, which scopes its names: then its id may stand for other bytes too.
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
    _check_operator(message, state, origin)
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
            check_endorsement(message, state)
        case ProvenanceStatement():
            check_source_names(message)
            check_references(message, state)
            check_quotes(message, state)
        case VerificationResponse():
            check_no_prober(message, state)
            if origin is None:
                check_reason(message)
            if message.target_hash is None and not accept_unbound and origin is None:
                raise TargetError(
                    f"{message.envelope.id} does not say which bytes it judges: targetHash is missing", "targetHash"
                )
            check_response(message, target_of(message, state), state)
        case VerificationDecline():
            check_decline(message, state)
        case ChallengeAnswer():
            check_answer(message, state)
        case Retraction():
            check_retraction(message, state)
        case GoldLabel():
            check_gold_label(message, state, origin)
        case GoldDispute():
            check_gold_dispute(message, state)
        case Policy():
            check_seeds(message, state)
        case Redaction():
            check_redaction(message, state)
        case RecordRegistration() if origin is None:
            check_not_erased(message, state)
        case Epoch():
            check_epoch(message, state.place, state.last_epoch_part)
        case PeerAgreement() | PeerCheckpoint() | Equivocation():
            check_peer_message(message, state)
        case _:
            pass


def _check_id(message: Message, state: State) -> None:
    """Raise `ConflictError` if the id already stands for other signed bytes."""
    known = state.ids.get(message.envelope.id)
    if known is not None and known != message.envelope.signed_hash:
        raise ConflictError(
            f"{message.envelope.id} already stands for other bytes ({known}); "
            "a revision has an id of its own (version 4 or 7) and names this one in prov:wasRevisionOf",
            "@id",
        )


def _check_operator(message: Message, state: State, origin: str | None) -> None:
    envelope = message.envelope
    does = _OF_THE_NODE.get(envelope.type)
    node = state.node_agent if origin is None else node_of(origin)
    if does is not None and envelope.agent_id != node:
        member = AGENT_MEMBERS[envelope.type]
        raise ForbiddenError(f"{member} is {envelope.agent_id}; only {node} {does}", member)


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
        raise NotRegisteredError(f"agent {envelope.agent_id} is not registered", AGENT_MEMBERS[envelope.type])
    if by_peer and origin is not None and envelope.signature is not None:
        key = key_of(envelope.signature.public_key, node_of(origin), state)
        verify_signature(envelope.signature, envelope.signed_bytes, key.public_key)
        if envelope.proofs:
            # The node signed for an agent without a key, so that the proof is no agent's.
            raise SignatureError(f"{envelope.id} is signed by its node for another, and has a proof")
    target_of(message, state)
