"""The conditions for accepting a registration that proves possession of the bytes (docs/decisions/0043).

They hold when the registration comes, together with the bytes, and its log entry then says so (`LogEntry.has_proof`).
Bytes that are here already may be another agent's, and give nobody a right but the owner.
"""

from a2ap.log.entry import LogEntry
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.source_registration import SourceRegistration
from graph.errors import ConflictError, ContentMismatchError, ForbiddenError, RedactedError, TargetError
from graph.kinds.state import DocumentRecord, Registrant, State

Registration = SourceRegistration | RecordRegistration


def check_possession(message: Registration, state: State, possession_mac: str | None, *, is_stored: bool) -> None:
    """Raise unless the bytes came with a registration, and its agent has a right to be their owner.

    `possession_mac` is the MAC of the bytes that came, None if none did. Raises `TargetError` if none did,
    `ContentMismatchError` if the registration has another MAC, and the errors of `check_may_prove`.
    """
    name, agent = message.document_hash, message.envelope.agent_id
    if possession_mac is None:
        words = f"the bytes of {name} did not come with their registration: see PUT /sources/{{hash}}"
        raise TargetError(words, _path(message, "possessionMac"))
    if possession_mac != message.possession_mac:
        raise ContentMismatchError(f"{message.possession_mac!r} is not the MAC of the bytes of {name} by {agent}")
    check_may_prove(message, state, is_stored=is_stored)


def check_may_prove(message: Registration, state: State, *, is_stored: bool) -> None:
    """Raise unless the agent may prove possession of the bytes with a registration.

    `is_stored` says that the bytes may be stored as a message, a remainder or content of a pack. Raises
    `ForbiddenError` if the bytes are here already and the agent is not their owner, if another agent proved possession
    before, or if the bytes would be readable below the class that the registration states; `RedactedError` if they were
    erased.
    """
    name, agent = message.document_hash, message.envelope.agent_id
    for redaction in state.redactions.get(name, ()):
        raise RedactedError(f"{name} was {redaction.sentence}", _path(message, "documentHash"))
    known = state.documents.get(name, DocumentRecord(name, False, None, None, None, None))
    owner = state.owner_of(known)
    is_here = known.held or known.has_record or is_stored
    if agent != owner and (is_here or any(one.has_proof for one in known.registrants)):
        by = "" if owner is None else f", by the registration of {owner}"
        raise ForbiddenError(f"the bytes of {name} are here already{by}", _path(message, "possessionMac"))
    boundary = state.class_after(known, Registrant.of(message, has_proof=True))
    if boundary < message.boundary:
        words = f"{name} is {boundary} by the registration of {owner}, and its bytes would be readable as such, not as"
        raise ForbiddenError(f"{words} {message.boundary}", _path(message, "boundary"))


def check_proof_is_logged(message: Registration, entry: LogEntry) -> None:
    """Raise `ConflictError` if a registration is in the log already, and its entry states no proof.

    It came by a peer's log, or before the log stated proofs.
    """
    if not entry.has_proof:
        words = f"{message.envelope.id} is log entry {entry.log_index}, which states no proof: register under a new id"
        raise ConflictError(words, "@id")


def _path(message: Registration, member: str) -> str:
    return f"source.{member}" if isinstance(message, SourceRegistration) else member
