"""What an agent's client sends: signed documents, each to the door of its type, or many as lines."""

from collections.abc import Iterator, Sequence
from typing import Any

from a2ap.envelope import MessageType, read_type
from a2ap.errors import MessageError
from a2ap.json_text import read_json, write_json

Document = dict[str, Any] | bytes
"""A signed document: the message, or the exact bytes to send."""

PATHS = {
    MessageType.AGENT_REGISTRATION: "/agents",
    MessageType.SOURCE_REGISTRATION: "/sources",
    MessageType.ENDORSEMENT: "/endorsements",
    MessageType.POLICY: "/policies",
    MessageType.STATEMENT: "/statements",
    MessageType.VERIFICATION_REQUEST: "/verification-requests",
    MessageType.VERIFICATION_RESPONSE: "/verifications",
    MessageType.KEY_REGISTRATION: "/key-registrations",
    MessageType.KEY_REVOCATION: "/key-revocations",
    MessageType.AGENT_DEACTIVATION: "/deactivations",
    MessageType.AGENT_VERSION: "/agent-versions",
    MessageType.ADMISSION_POLICY: "/admission-policies",
    MessageType.LOG_KEY_ROTATION: "/log-key-rotations",
    MessageType.PEER_AGREEMENT: "/peer-agreements",
    MessageType.EQUIVOCATION: "/equivocations",
    MessageType.RETRACTION: "/retractions",
    MessageType.REDACTION: "/redactions",
    MessageType.GOLD_LABEL: "/gold-labels",
    MessageType.GOLD_DISPUTE: "/gold-disputes",
    MessageType.PROBE: "/probes",
    MessageType.VERIFICATION_DECLINE: "/declines",
    MessageType.CHALLENGE_ANSWER: "/challenge-answers",
}
"""Where a message of each type is sent."""

_DOCUMENTS_AT_ONCE = 200


def bytes_of(document: Document) -> bytes:
    """Return the bytes that are sent of a document."""
    return document if isinstance(document, bytes) else write_json(document)


def is_line(document: bytes) -> bool:
    """Tell whether a document can be a line of NDJSON as it is."""
    return b"\n" not in document and b"\r" not in document and bool(document.strip())


def batches(documents: Sequence[bytes]) -> Iterator[list[bytes]]:
    """Cut the documents into runs of lines; what is no line, and NDJSON would change, is alone."""
    batch: list[bytes] = []
    for document in documents:
        if batch and (len(batch) == _DOCUMENTS_AT_ONCE or not is_line(document) or not is_line(batch[-1])):
            yield batch
            batch = []
        batch.append(document)
    if batch:
        yield batch


def path_for(document: bytes) -> str:
    """Return where a document of its type is sent; the platform says what is wrong with one that has none."""
    try:
        return PATHS.get(read_type(read_json(document)), "/statements")
    except MessageError:
        return "/statements"
