"""Adds accepted messages to the state of a batch, so that the next message may build on them."""

from a2ap.messages.message import Message
from graph.kinds.registry import kind_of
from graph.kinds.state import State


def record_message(message: Message, state: State, *, of_peer: bool) -> None:
    """Add an accepted message to the state, at the next place of the log."""
    envelope = message.envelope
    # The first that had the id has it; a twin is kept beside it (docs/decisions/0091).
    state.ids.setdefault(envelope.id, envelope.signed_hash)
    kind_of(message).record(message, state, of_peer)
    state.place += 1
