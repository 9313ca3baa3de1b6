"""The kinds of messages, by class and by type; `docs/explanation/architecture.md` lists the parts of another kind."""

from typing import Any

from a2ap.messages.message import MessageType
from graph.kinds.agent import AGENT_REGISTRATION, AGENT_VERSION
from graph.kinds.challenge_answer import CHALLENGE_ANSWER
from graph.kinds.decline import VERIFICATION_DECLINE
from graph.kinds.endorsement import ENDORSEMENT
from graph.kinds.epoch import EPOCH
from graph.kinds.gold import GOLD_DISPUTE, GOLD_LABEL, PROBE
from graph.kinds.key import AGENT_DEACTIVATION, KEY_REGISTRATION, KEY_REVOCATION, LOG_KEY_ROTATION
from graph.kinds.kind import Kind, M
from graph.kinds.peer import EQUIVOCATION, PEER_AGREEMENT, PEER_CHECKPOINT
from graph.kinds.policy import ADMISSION_POLICY, POLICY
from graph.kinds.record import RECORD_REGISTRATION
from graph.kinds.redaction import REDACTION
from graph.kinds.retraction import RETRACTION
from graph.kinds.source import SOURCE_REGISTRATION
from graph.kinds.statement import STATEMENT
from graph.kinds.verification import VERIFICATION_RESPONSE
from graph.kinds.verification_request import VERIFICATION_REQUEST
from graph.log.row_lists import SHARED_WRITES

_ALL: tuple[Kind[Any], ...] = (
    STATEMENT,
    VERIFICATION_REQUEST,
    VERIFICATION_RESPONSE,
    VERIFICATION_DECLINE,
    CHALLENGE_ANSWER,
    AGENT_REGISTRATION,
    AGENT_VERSION,
    SOURCE_REGISTRATION,
    RECORD_REGISTRATION,
    ENDORSEMENT,
    POLICY,
    ADMISSION_POLICY,
    KEY_REGISTRATION,
    KEY_REVOCATION,
    AGENT_DEACTIVATION,
    LOG_KEY_ROTATION,
    PEER_AGREEMENT,
    PEER_CHECKPOINT,
    EQUIVOCATION,
    EPOCH,
    GOLD_LABEL,
    GOLD_DISPUTE,
    PROBE,
    RETRACTION,
    REDACTION,
)
"""All kinds, in the order in which their rows are written."""

KINDS: dict[type[Any], Kind[Any]] = {kind.message: kind for kind in _ALL}

TYPES: dict[MessageType, Kind[Any]] = {MessageType(kind.message.__name__): kind for kind in _ALL}

WRITE_ORDER = (*SHARED_WRITES, *(query for kind in _ALL for query in kind.writes))
"""The queries that write the rows of messages, in the order of their use."""

FROM_PEERS = frozenset(one.value for one, kind in TYPES.items() if kind.from_peers)
"""The types of message that are accepted from a peer's log, too."""


def kind_of(message: M) -> Kind[M]:
    """Return the kind of a message."""
    return KINDS[type(message)]
