"""The messages of a log and a witness about a new checkpoint: `add-checkpoint` (C2SP tlog-witness).

This module has the bodies only; the HTTP client decides the witness, the retries and the meaning of a status. The
witness answers 200 with cosignature lines, or 409 with the size that it knows, from which the proof should start.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.errors import LogFormatError, WitnessError
from a2ap.log.cosignature import open_cosignatures
from a2ap.log.line_values import encode_base64, read_decimal, read_hash
from a2ap.log.signed_note import MAX_SIGNATURES, VerifierKey, add_signature, read_note, read_signature_line

SIZE_CONTENT_TYPE = "text/x.tlog.size"

_MAX_HASHES = 63


@dataclass(frozen=True, slots=True)
class AddCheckpoint:
    """A request: the checkpoint, and the proof that it continues the tree of `old_size` that the witness knows."""

    old_size: int
    hashes: tuple[bytes, ...]
    checkpoint_note: str

    @property
    def body(self) -> bytes:
        """Return the body of the request."""
        lines = [f"old {self.old_size}", *map(encode_base64, self.hashes), ""]
        return ("".join(line + "\n" for line in lines) + self.checkpoint_note).encode()


def read_add_checkpoint(body: bytes) -> AddCheckpoint:
    """Read the body of a request; raises `LogFormatError`. Nothing in it is verified."""
    head, separator, note = _decode(body).partition("\n\n")
    first, *lines = head.split("\n")
    if not first.startswith("old ") or not separator:
        raise LogFormatError("a request to a witness begins with `old` and has an empty line before its checkpoint")
    if len(lines) > _MAX_HASHES:
        raise LogFormatError(f"the request has {len(lines)} hashes, more than {_MAX_HASHES}")
    read_note(note)
    return AddCheckpoint(
        old_size=read_decimal(first.removeprefix("old "), "the old size"),
        hashes=tuple(read_hash(line, "a line of the consistency proof") for line in lines),
        checkpoint_note=note,
    )


def add_cosignatures(note: str, body: bytes, witnesses: Sequence[VerifierKey]) -> str:
    """Return the checkpoint with the cosignatures of a witness's answer that are by these witnesses.

    Lines of other keys are passed over. Raises `LogFormatError` if the answer has another form, `NoteError` if a
    cosignature of one of the witnesses does not hold, `WitnessError` if there is none of theirs.
    """
    *lines, rest = _decode(body).split("\n")
    if rest or not 0 < len(lines) <= MAX_SIGNATURES:
        raise LogFormatError(f"the answer of a witness is 1 to {MAX_SIGNATURES} lines, each with its newline")
    signatures = [read_signature_line(line + "\n") for line in lines]
    theirs = [signature.line for signature in signatures if any(map(signature.is_by, witnesses))]
    if not theirs:
        raise WitnessError("the answer has no cosignature by a witness that is known")
    cosigned = note
    for line in theirs:
        cosigned = add_signature(cosigned, line)
    open_cosignatures(cosigned, witnesses)
    return cosigned


def read_known_size(body: bytes) -> int:
    """Return the tree size that a witness knows, out of the body of its 409; raises `LogFormatError`."""
    text = _decode(body)
    if not text.endswith("\n"):
        raise LogFormatError("the size that a witness knows is a line")
    return read_decimal(text.removesuffix("\n"), "the size that the witness knows")


def _decode(body: bytes) -> str:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LogFormatError(f"the body is not UTF-8 at byte {error.start}") from error
