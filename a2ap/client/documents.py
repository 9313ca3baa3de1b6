"""The signed documents that an agent's client sends: each to its type's endpoint, or many in a sequence (RFC 7464)."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from a2ap.errors import MessageError
from a2ap.json_text import read_json, write_json
from a2ap.messages.envelope import MessageType, read_type

Document = dict[str, Any] | bytes
"""A signed document: the message, or the exact bytes to send."""

PATHS = {type: type.path for type in MessageType if type.path is not None}
"""The path to which a message of each type is sent."""

SEQUENCE = "application/json-seq"

_SEPARATOR = b"\x1e"
_DOCUMENTS_AT_ONCE = 1_000
_BYTES_AT_ONCE = 16 * 2**20


def bytes_of(document: Document) -> bytes:
    """Return the bytes of a document as they are sent."""
    return document if isinstance(document, bytes) else write_json(document)


def is_element(document: bytes) -> bool:
    """Tell whether a document can be in a sequence as it is; a document with a separator in it is not JSON."""
    return _SEPARATOR not in document


def sequence_of(documents: Sequence[bytes]) -> bytes:
    """Return documents as one body, each byte for byte behind a separator and ahead of a line break."""
    return b"".join(_SEPARATOR + document + b"\n" for document in documents)


def batches(documents: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Cut the documents into batches to send at once; a document that cannot be in a sequence is alone."""
    batch: list[bytes] = []
    size = 0
    for document in documents:
        full = len(batch) == _DOCUMENTS_AT_ONCE or size + len(document) > _BYTES_AT_ONCE
        if batch and (full or not is_element(document) or not is_element(batch[-1])):
            yield batch
            batch, size = [], 0
        batch.append(document)
        size += len(document)
    if batch:
        yield batch


def path_for(document: bytes) -> str:
    """Return the path for a document's type; for an unknown type `/statements`, where the platform names the fault."""
    try:
        return PATHS.get(read_type(read_json(document)), "/statements")
    except MessageError:
        return "/statements"
