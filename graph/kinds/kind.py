"""The parts of a kind of message: the names in it, its requirements, and its additions to the state and the graph.

Each kind is one `Kind`, in a module of its own or of its family, with a line in `graph.kinds.registry`. Its parts are
plain functions over values. The requirements of all kinds are in `graph.kinds.admission`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message
from graph.kinds.state import State
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Rows

M = TypeVar("M", bound=Message)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms on which a message is checked.

    `countersigned` means that the node signed an unsigned request for a caller that it knows; `accept_unbound`, that a
    verdict without `targetHash` is accepted (it is shown and weighs nothing); `origin`, that the message comes from a
    peer's log, which scopes its names: then its id may stand for other bytes too.
    """

    countersigned: bool = False
    accept_unbound: bool = False
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class StoredContent:
    """The bytes stored here from which rows are made.

    `chunk_texts` holds, for a statement, the text of each evidence segment's bytes if the source is held, else "";
    `record` the bytes of a registered record, if they are stored here.
    """

    chunk_texts: tuple[str, ...] = ()
    record: bytes | None = None


def _add_no_names(_message: Message, _wanted: WantedNames) -> None:
    pass


def _require_nothing(_message: Message, _state: State, _terms: Terms) -> None:
    pass


def _record_nothing(_message: Message, _state: State, _has_proof: bool) -> None:
    pass


def _add_no_rows(_rows: Rows, _message: Message, _entry: LogEntry, _state: State, _content: StoredContent) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Kind(Generic[M]):
    """A kind of message: its class, and the parts in which it differs from other kinds.

    `agent_member` is the path of the member that names the message's agent. `mutation` is the name and the description
    of its mutation in GraphQL. Only the node may send a kind that has `node_only`: a verb phrase for the act of the
    message. A kind with `from_peers` is also accepted from a peer's log; one without `moves_scores` never changes a
    score. `writes` are its own write queries, in the order of their use: the nodes that they match are written by
    `SHARED_WRITES` of `graph.log.row_lists`, or by a kind before it in the registry. Parts in the order of their use:

    - `names` adds the names that the message refers to, beside those of its envelope.
    - `check_signature` raises unless the message is signed as it has to be. By default a key of its agent signs it. The
      checks of senders and of the admission policy follow.
    - `check` raises if the message, whose signature holds, cannot be accepted.
    - `record` adds an accepted message to the state, at `state.place`; its last argument is `LogEntry.has_proof`, which
      says that a registration came with its bytes and a proof of possession.
    - `add_rows` adds the rows of an accepted message, which `record` has already added to the state.
    """

    message: type[M]
    agent_member: str
    mutation: tuple[str, str] | None = None
    node_only: str | None = None
    from_peers: bool = False
    moves_scores: bool = True
    names: Callable[[M, WantedNames], None] = _add_no_names
    check_signature: Callable[[M, State, Terms], None] | None = None
    check: Callable[[M, State, Terms], None] = _require_nothing
    record: Callable[[M, State, bool], None] = _record_nothing
    add_rows: Callable[[Rows, M, LogEntry, State, StoredContent], None] = _add_no_rows
    writes: tuple[str, ...] = ()
