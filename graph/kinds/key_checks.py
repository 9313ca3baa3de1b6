"""The conditions for accepting a message about keys: its signer's authority, and the key concerned (docs/keys.md).

Before these checks, `check_signature` of `graph.kinds.signatures` has found that a key that speaks for its agent signed
it, or else the agent's recovery key.
"""

from a2ap.canonical import sha256_digest
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.key_events import KeyMessage, recovery_key_of, subject_of
from a2ap.messages.key_history import Authority
from a2ap.messages.key_registration import KeyRegistration, verify_possession
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.scoping import operator_of
from a2ap.signing.keys import PublicKey
from graph.errors import ConflictError, ForbiddenError, NotRegisteredError, TargetError
from graph.kinds.state import State


def recovery_key_in(message: Message, state: State) -> PublicKey | None:
    """Return the recovery key that signed a message about keys, per its agent's commitment; else `None`."""
    if not isinstance(message, KeyMessage):
        return None
    return recovery_key_of(message, state.recovery_hashes.get(message.envelope.agent_id))


def authority_of(message: KeyMessage, state: State) -> Authority:
    """Return the authority with which a message about keys is signed."""
    if message.envelope.agent_id != subject_of(message):
        return Authority.OPERATOR
    return Authority.KEY if recovery_key_in(message, state) is None else Authority.RECOVERY


def check_key_message(message: KeyMessage, state: State) -> None:
    """Raise if a message about keys, whose signature holds, cannot be accepted."""
    _check_subject(message, state)
    match message:
        case KeyRegistration():
            _check_key_registration(message, state)
        case KeyRevocation():
            _check_revocation(message, state)
        case AgentDeactivation():
            _check_deactivation(message, state)


def _check_subject(message: KeyMessage, state: State) -> None:
    agent_id, speaker = subject_of(message), message.envelope.agent_id
    if agent_id == state.node_agent:
        raise ForbiddenError(f"{agent_id} is this node, whose own key does not change", "agent")
    if agent_id not in state.agents:
        raise NotRegisteredError(f"agent {agent_id} is not registered", "agent")
    if speaker not in (agent_id, state.node_agent, operator_of(agent_id)):
        raise ForbiddenError(f"agent is {agent_id}, for whose keys {speaker} does not speak", "agent")


def _check_key_registration(message: KeyRegistration, state: State) -> None:
    agent_id = message.envelope.agent_id
    verify_possession(message)
    if message.recovery_key_hash is not None and authority_of(message, state) is not Authority.RECOVERY:
        raise ForbiddenError("recoveryKeyHash is for the recovery key to change", "recoveryKeyHash")
    if sha256_digest(message.public_key.data) in (state.recovery_hashes.get(agent_id), message.recovery_key_hash):
        raise ForbiddenError("key.publicKey is the recovery key, which signs nothing else", "key.publicKey")
    if message.key_id in state.keys:
        raise ConflictError(f"key {message.key_id} is already registered", "key.@id")
    did_key = message.public_key.did_key
    if known := [key for key in state.keys.get(did_key, ()) if key.agent_id == agent_id]:
        # A key that was revoked must not come back under another name.
        raise ConflictError(f"{did_key} is registered as {known[0].key_id}", "key.publicKey")
    for index, name in enumerate(message.replaces):
        if name not in state.keys:
            raise TargetError(f"key {name} is not registered", f"replaces[{index}]")
    for key in state.keys.get(message.alias or "", ()):
        if key.agent_id == agent_id and key.speaks_at(state.place) and key.key_id not in message.replaces:
            raise ConflictError(f"{message.alias} is the alias of {key.key_id}, which is not replaced", "key.alias")


def _check_revocation(message: KeyRevocation, state: State) -> None:
    if message.key_id not in state.keys:
        raise TargetError(f"key {message.key_id} is not registered", "key")
    key = state.keys[message.key_id][0]
    if authority_of(message, state) is not Authority.KEY:
        return
    if key.not_trusted_since is not None:
        raise ConflictError(f"key {key.key_id} is not trusted since entry {key.not_trusted_since}", "key")
    index, time = message.not_trusted_since_index, message.not_trusted_since_time
    if (index is not None and index < state.place) or (time is not None and state.place_of(time) < state.place):
        raise ForbiddenError(
            "notTrustedSince is in the past; only the recovery key and the node may say so", "notTrustedSince"
        )


def _check_deactivation(message: AgentDeactivation, state: State) -> None:
    place = state.deactivated.get(message.agent)
    if place is not None:
        raise ConflictError(f"agent {message.agent} was deactivated by entry {place}", "agent")
