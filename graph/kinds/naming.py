"""Collects the names that messages refer to, so that the state for a batch can be loaded before it is checked."""

from collections.abc import Iterable

from a2ap.messages.message import Message
from graph.kinds.registry import kind_of
from graph.kinds.wanted_names import WantedNames


def names_of(messages: Iterable[Message]) -> WantedNames:
    """Return the names in these messages."""
    wanted = WantedNames()
    for message in messages:
        _add(message, wanted)
    return wanted


def _add(message: Message, wanted: WantedNames) -> None:
    envelope = message.envelope
    wanted.hashes.add(envelope.signed_hash)
    wanted.ids.add(envelope.id)
    wanted.agents.add(envelope.agent_id)
    if envelope.signature is not None:
        wanted.keys.add(envelope.signature.public_key)
    wanted.keys.update(proof.key_reference for proof in envelope.proofs)
    kind_of(message).names(message, wanted)
