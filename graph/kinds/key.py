"""Messages about keys: of an agent, which its signer must have the authority to change, and of the log.

See docs/how-to/keys.md.

Before the checks here, `graph.kinds.signatures` has found that a key that speaks for its agent signed the message, or
else the agent's recovery key.
"""

from a2ap.canonical import sha256_digest
from a2ap.log.entry import LogEntry
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.key_events import KeyMessage, key_event_of, subject_of
from a2ap.messages.key_history import AgentDeactivated, Authority, KeyAdded, KeyEvent, KeyRevoked
from a2ap.messages.key_registration import KeyRegistration, verify_possession
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.log_key_rotation import LogKeyRotation
from a2ap.messages.scoping import operator_of
from a2ap.times import format_instant
from graph.errors import ConflictError, ForbiddenError, NotRegisteredError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import recovery_key_in, signing_key
from graph.kinds.state import KeyRecord, State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows
from graph.records.passport_rows import key_row
from graph.transparency.key_history import check_rotation


def _registration_names(message: KeyRegistration, wanted: WantedNames) -> None:
    wanted.keys.update({message.key_id, message.public_key.did_key, *message.replaces})
    if message.alias is not None:
        wanted.keys.add(message.alias)


def _check_registration(message: KeyRegistration, state: State, _terms: Terms) -> None:
    _check_subject(message, state)
    agent_id = message.envelope.agent_id
    verify_possession(message)
    if message.recovery_key_hash is not None and _authority_of(message, state) is not Authority.RECOVERY:
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


def _record_registration(message: KeyRegistration, state: State, _has_proof: bool) -> None:
    _record_event(message, state)
    agent_id = message.envelope.agent_id
    for key_id in message.replaces:
        state.retire_key(key_id)
    state.add_key(KeyRecord(message.key_id, agent_id, message.public_key, message.alias, state.place))
    if message.recovery_key_hash is not None:
        state.recovery_hashes[agent_id] = message.recovery_key_hash


def _add_registration_rows(
    rows: Rows, message: KeyRegistration, entry: LogEntry, state: State, _content: StoredContent
) -> None:
    _add_event_row(rows, message, entry, state)
    rows.add("write_key_registrations", _key_row(message, entry, state.key_events[entry.signed_hash]))
    for name in message.replaces:
        rows.add("write_retired_keys", {"key_id": name, "retired_at": entry.log_index})
    rows.add("write_passports_of_keys", key_row(message))


KEY_REGISTRATION = Kind(
    KeyRegistration,
    agent_member="registeringAgent",
    mutation=("register_key", "Register another key of an agent (a2ap:KeyRegistration)."),
    from_peers=True,
    names=_registration_names,
    check=_check_registration,
    record=_record_registration,
    add_rows=_add_registration_rows,
)


def _revocation_names(message: KeyRevocation, wanted: WantedNames) -> None:
    wanted.agents.add(message.agent)
    wanted.keys.add(message.key_id)
    if message.not_trusted_since_time is not None:
        wanted.times.add(message.not_trusted_since_time)


def _check_revocation(message: KeyRevocation, state: State, _terms: Terms) -> None:
    _check_subject(message, state)
    if message.key_id not in state.keys:
        raise TargetError(f"key {message.key_id} is not registered", "key")
    key = state.keys[message.key_id][0]
    if _authority_of(message, state) is not Authority.KEY:
        return
    if key.not_trusted_since is not None:
        raise ConflictError(f"key {key.key_id} is not trusted since entry {key.not_trusted_since}", "key")
    index, time = message.not_trusted_since_index, message.not_trusted_since_time
    if (index is not None and index < state.place) or (time is not None and state.place_of(time) < state.place):
        raise ForbiddenError(
            "notTrustedSince is in the past; only the recovery key and the node may say so", "notTrustedSince"
        )


def _record_revocation(message: KeyRevocation, state: State, _has_proof: bool) -> None:
    # The effect of a revocation on keys is read from the graph: it is the last of its batch.
    time = message.not_trusted_since_time
    _record_event(message, state, message.not_trusted_since_index if time is None else state.place_of(time))


def _add_revocation_rows(
    rows: Rows, message: KeyRevocation, entry: LogEntry, state: State, _content: StoredContent
) -> None:
    _add_event_row(rows, message, entry, state)


KEY_REVOCATION = Kind(
    KeyRevocation,
    agent_member="revokingAgent",
    mutation=("revoke_key", "Revoke a key of an agent (a2ap:KeyRevocation)."),
    from_peers=True,
    names=_revocation_names,
    check=_check_revocation,
    record=_record_revocation,
    add_rows=_add_revocation_rows,
)


def _deactivation_names(message: AgentDeactivation, wanted: WantedNames) -> None:
    wanted.agents.add(message.agent)


def _check_deactivation(message: AgentDeactivation, state: State, _terms: Terms) -> None:
    _check_subject(message, state)
    place = state.deactivated.get(message.agent)
    if place is not None:
        raise ConflictError(f"agent {message.agent} was deactivated by entry {place}", "agent")


def _record_deactivation(message: AgentDeactivation, state: State, _has_proof: bool) -> None:
    _record_event(message, state)
    state.deactivated.setdefault(message.agent, state.place)


def _add_deactivation_rows(
    rows: Rows, message: AgentDeactivation, entry: LogEntry, state: State, _content: StoredContent
) -> None:
    _add_event_row(rows, message, entry, state)
    rows.add("write_deactivations", {"agent_id": message.agent, "log_index": entry.log_index})


AGENT_DEACTIVATION = Kind(
    AgentDeactivation,
    agent_member="deactivatingAgent",
    mutation=("deactivate_agent", "Deactivate an agent: no later message of it is accepted (a2ap:AgentDeactivation)."),
    from_peers=True,
    names=_deactivation_names,
    check=_check_deactivation,
    record=_record_deactivation,
    add_rows=_add_deactivation_rows,
)


def _check_rotation(message: LogKeyRotation, state: State, _terms: Terms) -> None:
    check_rotation(message, state.log_keys, state.place)


LOG_KEY_ROTATION = Kind(
    LogKeyRotation,
    agent_member="issuingAgent",
    mutation=("rotate_log_key", "Rotate the key of the log, signed by the node's key (a2ap:LogKeyRotation)."),
    node_only="changes the log's key",
    check=_check_rotation,
)


def _check_subject(message: KeyMessage, state: State) -> None:
    agent_id, speaker = subject_of(message), message.envelope.agent_id
    if agent_id == state.node_agent:
        raise ForbiddenError(f"{agent_id} is this node, whose own key does not change", "agent")
    if agent_id not in state.agents:
        raise NotRegisteredError(f"agent {agent_id} is not registered", "agent")
    if speaker not in (agent_id, state.node_agent, operator_of(agent_id)):
        raise ForbiddenError(f"agent is {agent_id}, for whose keys {speaker} does not speak", "agent")


def _authority_of(message: KeyMessage, state: State) -> Authority:
    """Return the authority with which a message about keys is signed."""
    if message.envelope.agent_id != subject_of(message):
        return Authority.OPERATOR
    return Authority.KEY if recovery_key_in(message, state) is None else Authority.RECOVERY


def _record_event(message: KeyMessage, state: State, since: int | None = None) -> None:
    authority, signed_by = _authority_of(message, state), signing_key(message, state)
    event = key_event_of(message, state.place, signed_by=signed_by, authority=authority, since=since)
    if event is not None:
        state.key_events[message.envelope.signed_hash] = event


def _add_event_row(rows: Rows, message: KeyMessage, entry: LogEntry, state: State) -> None:
    event = state.key_events[entry.signed_hash]
    row = {
        "signed_hash": entry.signed_hash,
        "message_id": entry.id,
        "type": entry.type,
        "agent_id": event.agent_id,
        "key_id": None if isinstance(event, AgentDeactivated) else event.key_id,
        "signed_by": event.signed_by,
        "authority": event.authority.value,
        "replaces": list(event.replaces) if isinstance(event, KeyAdded) else [],
        "reason": None if isinstance(message, KeyRegistration) else message.reason,
        "not_trusted_since": event.not_trusted_since if isinstance(event, KeyRevoked) else None,
        "log_index": entry.log_index,
        "issued_at": format_instant(message.envelope.time),
    }
    rows.add("write_key_events", row)


def _key_row(message: KeyRegistration, entry: LogEntry, event: KeyEvent) -> Row:
    return {
        "agent_id": event.agent_id,
        "key_id": message.key_id,
        "public_key": message.public_key.did_key,
        "alias": message.alias,
        "signed_by": event.signed_by,
        "recovery_key_hash": message.recovery_key_hash,
        "log_index": entry.log_index,
    }
