"""Adds accepted messages to the state of a batch, so that the next message may build on them."""

from a2ap.messages.message import Message
from graph.kinds.registry import kind_of
from graph.kinds.state import State


def record_message(message: Message, state: State, *, has_proof: bool) -> None:
    """Add an accepted message to the state, at the next place of the log; `has_proof` is that of its entry."""
    envelope = message.envelope
    # The first that had the id has it; a twin is kept beside it (docs/decisions/0054).
    state.ids.setdefault(envelope.id, envelope.signed_hash)
    kind_of(message).record(message, state, has_proof)
    state.place += 1
