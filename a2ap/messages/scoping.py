"""Scoped names of the agents and keys of another node's log: `id@origin` (docs/decisions/0054).

Rules:

- A name that certifies itself, a `did:key`, is the same everywhere and stays as it is; so do its keys.
- Any other name of an agent has the meaning that its own node's log gives it, so it becomes `name@origin`: two agents
  of different origins never share a name, and none of them has the name of an agent of ours. A key `<agent>#<key>`
  becomes `<agent>@origin#<key>`, an alias `alias@origin`.
- A scoped name stays as it is in a reference, and loses the scope if that is the reader's own node. No message may be
  written in such a name: `check_own_names` refuses it.
- References to messages stay: their hashes say which are meant.
- `retain_until` of a source is addressed to the node that registers it, and binds no other.

Only the value changes. The bytes, their signed part, and the hashes are those of the document.
"""

import re
from dataclasses import replace
from typing import TypeVar

from a2ap.errors import ScopeError
from a2ap.messages.agent_deactivation import AgentDeactivation
from a2ap.messages.agent_description import AgentDescription
from a2ap.messages.agent_registration import AgentRegistration
from a2ap.messages.agent_version import AgentVersion
from a2ap.messages.endorsement import Endorsement
from a2ap.messages.envelope import Envelope
from a2ap.messages.key_registration import KeyRegistration
from a2ap.messages.key_revocation import KeyRevocation
from a2ap.messages.message import Message
from a2ap.messages.source_registration import SourceRegistration
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_request import VerificationRequest
from a2ap.signing.signature import Signature

M = TypeVar("M", bound=Message)

_SELF_CERTIFYING = "did:key:"
_NODE = re.compile(r"urn:agent:a2ap-node:[0-9a-f]{16}")
_SCOPE = re.compile(r".+@(urn:agent:a2ap-node:[0-9a-f]{16})", re.DOTALL)


def check_origin(origin: str) -> None:
    """Raise `ScopeError` unless `origin` is the origin of a node's log, the only scope of a name."""
    if _NODE.fullmatch(origin) is None:
        raise ScopeError(f"{origin} is not the id of a node, urn:agent:a2ap-node: and 16 hexadecimal digits")


def certifies_itself(name: str) -> bool:
    """Say whether an agent id, or the reference to a key, is a `did:key`, with or without a fragment."""
    return name.startswith(_SELF_CERTIFYING)


def origin_of(name: str) -> str | None:
    """Return the origin that an agent id is scoped by; `None` for one of this node or one that certifies itself."""
    match = _SCOPE.fullmatch(name)
    return match[1] if match and not certifies_itself(name) else None


def operator_of(agent_id: str) -> str | None:
    """Return the node that keeps the log of another node's agent, by its name here; `None` for other agents."""
    origin = origin_of(agent_id)
    return None if origin is None else scope_agent(origin, origin)


def scope_agent(name: str, origin: str, home: str | None = None) -> str:
    """Return the name at the node `home` of an agent of the log `origin`."""
    scoped = origin_of(name)
    if scoped is not None and scoped == home:
        return name.removesuffix(f"@{home}")
    return name if scoped is not None or certifies_itself(name) else f"{name}@{origin}"


def scope_key(reference: str, agent_id: str, origin: str, home: str | None = None) -> str:
    """Return the name at the node `home` of a key that `agent_id` uses, by its id, its alias or its `did:key`."""
    agent, separator, name = reference.partition("#")
    if not separator and certifies_itself(agent_id):
        return reference
    return f"{scope_agent(agent, origin, home)}{separator}{name}"


def check_own_names(message: Message) -> None:
    """Raise `ScopeError` if a message as received is written in the name of another node's agent."""
    envelope = message.envelope
    names = [envelope.agent_id, *([envelope.signature.public_key] if envelope.signature else [])]
    for name in names:
        if origin_of(name.partition("#")[0]) is not None:
            raise ScopeError(f"{envelope.id} is written in the name of {name}, an agent of another node")


def scope_message(message: M, origin: str, home: str | None = None) -> M:
    """Return the message with the names that agents and keys have outside of the log `origin`.

    `home` is the node that reads it: names that are scoped by it are its own. Without it, scoping again changes
    nothing.
    """
    named = _Names(origin, home)
    scoped = replace(message, envelope=named.envelope(message.envelope))
    match scoped:
        case AgentRegistration():
            agent_id = scoped.agent.agent_id
            return replace(
                scoped,
                agent=named.description(scoped.agent),
                key_id=named.key(scoped.key_id, agent_id),
                alias=named.alias(scoped.alias, agent_id),
            )
        case ProvenanceStatement():
            return replace(scoped, agent=named.description(scoped.agent))
        case KeyRegistration():
            agent_id = message.envelope.agent_id
            return replace(
                scoped,
                key_id=named.key(scoped.key_id, agent_id),
                alias=named.alias(scoped.alias, agent_id),
                replaces=tuple(named.key(key, agent_id) for key in scoped.replaces),
            )
        case KeyRevocation():
            return replace(scoped, agent=named.agent(scoped.agent), key_id=named.key(scoped.key_id, scoped.agent))
        case SourceRegistration():
            return replace(scoped, retain_until=None)
        case AgentVersion():
            return replace(scoped, agent=named.agent(scoped.agent), family=named.agent(scoped.family))
        case AgentDeactivation():
            return replace(scoped, agent=named.agent(scoped.agent))
        case Endorsement():
            return replace(scoped, endorsed_agent=named.agent(scoped.endorsed_agent))
        case VerificationRequest() if scoped.eligible_verifiers is not None:
            return replace(scoped, eligible_verifiers=tuple(map(named.agent, scoped.eligible_verifiers)))
        case _:
            return scoped


class _Names:
    """The names at `home` of agents and keys of the log `origin`."""

    def __init__(self, origin: str, home: str | None) -> None:
        self._origin = origin
        self._home = home

    def agent(self, name: str) -> str:
        return scope_agent(name, self._origin, self._home)

    def key(self, reference: str, agent_id: str) -> str:
        return scope_key(reference, agent_id, self._origin, self._home)

    def alias(self, alias: str | None, agent_id: str) -> str | None:
        return None if alias is None else self.key(alias, agent_id)

    def description(self, agent: AgentDescription) -> AgentDescription:
        family = None if agent.family is None else self.agent(agent.family)
        return replace(agent, agent_id=self.agent(agent.agent_id), family=family)

    def envelope(self, envelope: Envelope) -> Envelope:
        signature = envelope.signature
        if signature is not None:
            signature = self._signature(signature, envelope.agent_id)
        proofs = tuple(
            replace(proof, key_reference=self.key(proof.key_reference, envelope.agent_id)) for proof in envelope.proofs
        )
        return replace(envelope, agent_id=self.agent(envelope.agent_id), signature=signature, proofs=proofs)

    def _signature(self, signature: Signature, agent_id: str) -> Signature:
        return replace(signature, public_key=self.key(signature.public_key, agent_id))
