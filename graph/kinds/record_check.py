"""The conditions for accepting a record registration, and the bytes that come with it.

At this node's own endpoint the bytes come with the registration, so that no agent can make others' bytes readable by
naming their hash; a peer's registration comes without, and makes a node that has the hash alone.
"""

from collections.abc import Mapping, Sequence

from a2ap.canonical import sha256_digest
from a2ap.messages.record_registration import RecordRegistration
from graph.errors import RedactedError, TargetError
from graph.kinds.state import State
from graph.records.formats import READERS
from graph.retention.redactions import RedactionRecord


def check_not_erased(message: RecordRegistration, state: State) -> None:
    """Raise `RedactedError` if the bytes were erased: the registration would bring them back."""
    for known in state.redactions.get(message.document_hash, ()):
        raise RedactedError(f"{message.document_hash} was {known.sentence}", "documentHash")


def record_content(
    message: RecordRegistration,
    blobs: Sequence[bytes],
    erased: Mapping[str, Sequence[RedactionRecord]],
    *,
    of_peer: bool,
) -> bytes | None:
    """Return the checked bytes of a record from those submitted with its registration; None for a peer's.

    Raises `TargetError` if the record's bytes are missing or unnamed bytes are among them, `RedactedError` if any of
    the bytes were erased, as a source or as a message, and the errors of the format's reader.
    """
    if of_peer:
        return None
    reader = READERS.get(message.format)
    if reader is None:
        raise TargetError(f"records of the format {message.format} are not read here", "format")
    given = {sha256_digest(blob): blob for blob in blobs}
    for name in sorted(given.keys() & erased.keys()):
        words = f"{name}, which came with {message.document_hash}, was {erased[name][-1].sentence}"
        raise RedactedError(words, "documentHash")
    content = given.pop(message.document_hash, None)
    if content is None:
        raise TargetError(f"the bytes of {message.document_hash} did not come with their registration", "documentHash")
    reader.check(content)
    named = set(reader.names(content))
    if others := given.keys() - named:
        raise TargetError(f"{min(others)} came with {message.document_hash}, which does not name it", "documentHash")
    if reader.whole and (missing := named - given.keys()):
        words = f"{min(missing)}, which {message.document_hash} names, did not come with it"
        raise TargetError(words, "documentHash")
    return content
