"""Checks whether a message can be accepted, given the state of the graph: pure checks, no I/O.

`check_message` raises and changes nothing; `graph.kinds.recording` then adds an accepted message to the state. The
order of the checks:
(1) the same signed bytes again, or the same id for other bytes;
(2) the key is registered for the agent that the message names, and made the signature (`graph.kinds.signatures`);
(3) the agent may send messages of this kind, under the admission policy in force (`graph.kinds.admission_mode`);
(4) the requirements of the kind (`graph.kinds.registry`): the targets of the message are stored here and are as the
    message says.
"""

from a2ap.messages.message import Message
from graph.errors import ConflictError, ForbiddenError
from graph.kinds.admission_mode import check_admitted
from graph.kinds.kind import Terms
from graph.kinds.registry import kind_of
from graph.kinds.signatures import check_signed_by_agent
from graph.kinds.state import State
from graph.log.imported import check_own_agent, node_of


def check_message(
    message: Message,
    state: State,
    *,
    countersigned: bool = False,
    accept_unbound: bool = False,
    origin: str | None = None,
) -> None:
    """Raise if the message cannot be accepted at `state`, on the terms that `graph.kinds.kind.Terms` describes."""
    kind, terms = kind_of(message), Terms(countersigned, accept_unbound, origin)
    if origin is None:
        check_own_agent(message)
        _check_id(message, state)
    elif not kind.from_peers:
        envelope = message.envelope
        raise ForbiddenError(f"{envelope.id} is an {envelope.type.wire} of {origin}, which is not taken", "@type")
    if kind.check_signature is None:
        check_signature(message, state)
    else:
        kind.check_signature(message, state, terms)
    _check_operator(message, state, origin)
    if origin is None:
        check_admitted(message, state)
    kind.check(message, state, terms)


def check_signature(message: Message, state: State) -> None:
    """Raise unless a key registered for the message's own agent made the signature."""
    check_signed_by_agent(message, state, kind_of(message).agent_member)


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
    kind, agent_id = kind_of(message), message.envelope.agent_id
    node = state.node_agent if origin is None else node_of(origin)
    if kind.node_only is not None and agent_id != node:
        member = kind.agent_member
        raise ForbiddenError(f"{member} is {agent_id}; only {node} {kind.node_only}", member)
