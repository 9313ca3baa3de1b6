"""Many documents as one body: lines of JSON (NDJSON), or JSON texts with a separator each (RFC 7464).

A line contains no line breaks, and a document without its line breaks has other bytes. In a sequence of JSON texts each
stands behind a record separator, which JSON never contains, and ahead of one line break that is not its own.
"""

from collections.abc import Iterator
from typing import IO

from a2ap.json_text import MAX_BYTES

NDJSON = "application/x-ndjson"
JSON_SEQUENCE = "application/json-seq"

_SEPARATOR = b"\x1e"
_PIECE = 65_536  # bytes


def read_documents(body: IO[bytes], media_type: str) -> Iterator[bytes]:
    """Yield the documents of a body; of a document that is too long, only as much as shows that."""
    return _sequence(body) if media_type == JSON_SEQUENCE else _lines(body)


def _lines(body: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines, except lines of white space."""
    while line := body.readline(MAX_BYTES + 2):
        document = line.rstrip(b"\r\n")
        if len(document) > MAX_BYTES or document.strip():
            yield document
        while line and not line.endswith(b"\n"):
            line = body.readline(_PIECE)


def _sequence(body: IO[bytes]) -> Iterator[bytes]:
    """Yield the text behind each separator; text ahead of the first counts as a document as well, and is no JSON."""
    begun, kept = False, bytearray()
    while piece := body.read(_PIECE):
        first, *others = piece.split(_SEPARATOR)
        kept += first[: MAX_BYTES + 2 - len(kept)]
        for other in others:
            if begun or kept:
                yield _without_break(kept)
            begun, kept = True, bytearray(other[: MAX_BYTES + 2])
    if begun or kept:
        yield _without_break(kept)


def _without_break(text: bytearray) -> bytes:
    return bytes(text[:-1] if text.endswith(b"\n") else text)
