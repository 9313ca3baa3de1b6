"""Agents: their registrations with the first key, and announcements of versions of a family.

See docs/explanation/versions.md.
"""

from a2ap.errors import SignatureError
from a2ap.log.entry import LogEntry
from a2ap.messages.admission_policy import invitation_hash
from a2ap.messages.agent_registration import AgentRegistration, verify_possession
from a2ap.messages.agent_version import AgentVersion
from a2ap.signing.data_integrity import verify_proof
from a2ap.times import format_instant
from graph.errors import ConflictError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import KeyRecord, State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows
from graph.records.passport_rows import key_row
from graph.scoring.reputation import PRIOR_REPUTATION
from graph.versions.membership import check_version, membership_after, stated_family
from graph.versions.reputations import membership_row


def _registration_names(message: AgentRegistration, wanted: WantedNames) -> None:
    family = stated_family(message.agent)
    if family is not None:
        _add_family(family, wanted)
    if message.invitation is not None:
        wanted.invitations.add(invitation_hash(message.invitation))


def _check_registration_signature(message: AgentRegistration, state: State, _terms: Terms) -> None:
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


def _record_registration(message: AgentRegistration, state: State, _has_proof: bool) -> None:
    envelope = message.envelope
    state.add_key(KeyRecord(message.key_id, envelope.agent_id, message.public_key, message.alias, state.place))
    if message.recovery_key_hash is not None:
        state.recovery_hashes[envelope.agent_id] = message.recovery_key_hash
    if message.invitation is not None:
        state.used_invitations.add(invitation_hash(message.invitation))
    # The membership follows from the agents that are known before this one.
    _record_membership(message, state)
    state.agents[envelope.agent_id] = envelope.signed_hash


def _add_registration_rows(
    rows: Rows, message: AgentRegistration, entry: LogEntry, state: State, _content: StoredContent
) -> None:
    rows.add("write_agents", _agent_row(message, entry))
    rows.add("write_passports_of_keys", key_row(message))
    _add_membership(rows, message.agent.agent_id, state)


AGENT_REGISTRATION = Kind(
    AgentRegistration,
    agent_member="agent.@id",
    mutation=("register_agent", "Register an agent with its key (a2ap:AgentRegistration)."),
    from_peers=True,
    names=_registration_names,
    check_signature=_check_registration_signature,
    record=_record_registration,
    add_rows=_add_registration_rows,
)


def _version_names(message: AgentVersion, wanted: WantedNames) -> None:
    wanted.agents.add(message.agent)
    wanted.members.update({message.agent, message.envelope.agent_id})
    _add_family(message.family, wanted)


def _check_version(message: AgentVersion, state: State, _terms: Terms) -> None:
    check_version(message, state.known_families)


def _record_version(message: AgentVersion, state: State, _has_proof: bool) -> None:
    _record_membership(message, state)


def _add_version_rows(
    rows: Rows, message: AgentVersion, _entry: LogEntry, state: State, _content: StoredContent
) -> None:
    rows.add("remove_memberships", {"agent_id": message.agent, "family": state.memberships[message.agent].family})
    _add_membership(rows, message.agent, state)


AGENT_VERSION = Kind(
    AgentVersion,
    agent_member="announcingAgent",
    mutation=("announce_version", "Announce an agent as a version of a family (a2ap:AgentVersion)."),
    from_peers=True,
    names=_version_names,
    check=_check_version,
    record=_record_version,
    add_rows=_add_version_rows,
)


def _add_family(family: str, wanted: WantedNames) -> None:
    wanted.agents.add(family)
    wanted.families.add(family)


def _record_membership(message: AgentRegistration | AgentVersion, state: State) -> None:
    member = membership_after(message, state.known_families, state.place, signing_key(message, state))
    if member is not None:
        state.add_membership(member)


def _add_membership(rows: Rows, agent_id: str, state: State) -> None:
    member = state.memberships.get(agent_id)
    if member is not None:
        rows.add("write_memberships", membership_row(member))


def _agent_row(message: AgentRegistration, entry: LogEntry) -> Row:
    return {
        "agent_id": message.agent.agent_id,
        "name": message.agent.name,
        "version": message.agent.version,
        "publisher": message.agent.publisher,
        "capabilities": list(message.agent.capabilities),
        "person": True if message.agent.person else None,
        "public_key": message.public_key.did_key,
        "key_id": message.key_id,
        "alias": message.alias,
        "recovery_key_hash": message.recovery_key_hash,
        "invitation_hash": None if message.invitation is None else invitation_hash(message.invitation),
        "origin": entry.peer_origin,
        "registration_id": entry.id,
        "signed_hash": entry.signed_hash,
        "registered_at": format_instant(message.envelope.time),
        "reputation": PRIOR_REPUTATION,
        "log_index": entry.log_index,
    }
