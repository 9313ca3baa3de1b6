"""The conditions for accepting a registration that proves possession of the bytes (docs/decisions/0280).

They hold when the registration comes, together with the bytes: its place in the log then says that the agent had them.
Bytes that are here already may be another agent's, and give nobody a right but the owner.
"""

from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.source_registration import SourceRegistration
from graph.errors import ContentMismatchError, ForbiddenError, RedactedError, TargetError
from graph.kinds.state import DocumentRecord, Registrant, State


def check_possession(
    message: SourceRegistration | RecordRegistration, state: State, possession_mac: str | None
) -> None:
    """Raise unless the bytes came with a registration, and its agent has a right to be their owner.

    `possession_mac` is the MAC of the bytes that came, None if none did. Raises `TargetError` if none did,
    `ContentMismatchError` if the registration has another MAC, and the errors of `check_may_own`.
    """
    name, agent = message.document_hash, message.envelope.agent_id
    if possession_mac is None:
        words = f"the bytes of {name} did not come with their registration: see PUT /sources/{{hash}}"
        raise TargetError(words, _path(message, "possessionMac"))
    if possession_mac != message.possession_mac:
        raise ContentMismatchError(f"{message.possession_mac} is not the MAC of the bytes of {name} by {agent}")
    check_may_own(message, state)


def check_may_own(message: SourceRegistration | RecordRegistration, state: State) -> None:
    """Raise unless the bytes may come with a registration that proves possession of them.

    Raises `ForbiddenError` if the bytes are here already and another agent owns them, or if they would be readable
    below the class that the registration states, and `RedactedError` if they were erased.
    """
    name, agent = message.document_hash, message.envelope.agent_id
    for redaction in state.redactions.get(name, ()):
        raise RedactedError(f"{name} was {redaction.sentence}", _path(message, "documentHash"))
    known = state.documents.get(name, DocumentRecord(name, False, None, None, None, None))
    owner = state.owner_of(known)
    if (known.held or known.has_record) and owner not in (agent, None):
        words = f"the bytes of {name} are here already, by the registration of {owner}"
        raise ForbiddenError(words, _path(message, "possessionMac"))
    boundary = state.class_after(known, Registrant.of(message, of_peer=False))
    if boundary < message.boundary:
        words = f"{name} is {boundary} by the registration of {owner}, and its bytes would be readable as such, not as"
        raise ForbiddenError(f"{words} {message.boundary}", _path(message, "boundary"))


def _path(message: SourceRegistration | RecordRegistration, member: str) -> str:
    return f"source.{member}" if isinstance(message, SourceRegistration) else member
