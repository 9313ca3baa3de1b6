"""A checkpoint as pages show it: its origin, size and root, and the lines of the signatures under it, not verified."""

from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime

from a2ap.log.checkpoint import read_checkpoint
from a2ap.log.signed_note import NoteSignature, read_note
from a2ap.signing.keys import SIGNATURE_BYTES

_TIME_BYTES = 8
_LAST_TIME = 253_402_300_799  # the end of the year 9999, in POSIX seconds


@dataclass(frozen=True, slots=True)
class SignatureLine:
    """A signature line: the name and id of its key, and the time that a cosignature states."""

    name: str
    key_id: str
    time: datetime | None


@dataclass(frozen=True, slots=True)
class ShownCheckpoint:
    """A checkpoint; `own` are the signatures under the log's own name, `witnesses` all others."""

    origin: str
    size: int
    root: str
    root_hex: str
    note: str
    own: tuple[SignatureLine, ...]
    witnesses: tuple[SignatureLine, ...]

    @classmethod
    def of(cls, note: str) -> "ShownCheckpoint":
        """Take a checkpoint apart; raises `LogFormatError`."""
        found = read_note(note)
        checkpoint = read_checkpoint(found.text)
        lines = [(line.name == checkpoint.origin, _line(line)) for line in found.signatures]
        return cls(
            origin=checkpoint.origin,
            size=checkpoint.tree_size,
            root=b64encode(checkpoint.root_hash).decode("ascii"),
            root_hex=checkpoint.root_hash.hex(),
            note=note,
            own=tuple(line for is_own, line in lines if is_own),
            witnesses=tuple(line for is_own, line in lines if not is_own),
        )


def _line(line: NoteSignature) -> SignatureLine:
    # C2SP tlog-cosignature: a time of eight bytes stands before the signature.
    seconds = int.from_bytes(line.signature[:_TIME_BYTES], "big")
    is_timed = len(line.signature) == _TIME_BYTES + SIGNATURE_BYTES and seconds <= _LAST_TIME
    return SignatureLine(line.name, line.key_id.hex(), datetime.fromtimestamp(seconds, UTC) if is_timed else None)
