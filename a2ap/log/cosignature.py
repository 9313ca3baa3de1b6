"""Witnesses' cosignatures under a checkpoint: timestamped Ed25519, cosignature/v1 (C2SP tlog-cosignature).

A cosignature says that its witness has seen, at that time, no larger tree of the log and none that this one does
not continue. Whether a time lies in the future is for a caller with a clock to judge.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.errors import NoteError, SignatureError
from a2ap.log.signed_note import COSIGNATURE, NoteSignature, VerifierKey, read_note
from a2ap.signing.keys import SIGNATURE_BYTES, Signer

MAX_TIMESTAMP = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Cosignature:
    """A cosignature that holds: its witness, and the POSIX time in seconds that it gives."""

    witness: VerifierKey
    timestamp: int


def cosign(note: str, name: str, signer: Signer, timestamp: int) -> str:
    """Return the line with which a witness cosigns a checkpoint that it has found consistent."""
    if not 0 <= timestamp <= MAX_TIMESTAMP:
        raise ValueError(f"{timestamp} is no time of a cosignature")
    witness = VerifierKey(name, signer.public_key, COSIGNATURE)
    signature = signer.sign(_signed_message(read_note(note).text, timestamp))
    return NoteSignature(name, witness.key_id, struct.pack(">Q", timestamp) + signature).line


def open_cosignatures(note: str, witnesses: Sequence[VerifierKey]) -> tuple[Cosignature, ...]:
    """Return the cosignatures of these witnesses under a checkpoint, in the order of the lines; maybe none.

    Raises `LogFormatError` if the text is not a note, `NoteError` if a cosignature of one of them does not hold.
    """
    if any(witness.algorithm != COSIGNATURE for witness in witnesses):
        raise ValueError("the key of a witness is of type 4")
    unverified = read_note(note)
    return tuple(
        Cosignature(witness, _verify(unverified.text, signature, witness))
        for signature in unverified.signatures
        for witness in witnesses
        if signature.is_by(witness)
    )


def _verify(text: str, signature: NoteSignature, witness: VerifierKey) -> int:
    if len(signature.signature) != 8 + SIGNATURE_BYTES:
        raise NoteError(f"the cosignature of {witness.name} has {len(signature.signature)} bytes, not a time and 64")
    timestamp = int.from_bytes(signature.signature[:8], "big")
    if timestamp > MAX_TIMESTAMP:
        raise NoteError(f"the cosignature of {witness.name} has the time {timestamp}, beyond 2^63 - 1")
    try:
        witness.public_key.verify(_signed_message(text, timestamp), signature.signature[8:])
    except SignatureError as error:
        raise NoteError(f"the cosignature of {witness.name} does not hold") from error
    return timestamp


def _signed_message(text: str, timestamp: int) -> bytes:
    # The first line keeps a cosignature from ever being a signature of another kind of text.
    return f"cosignature/v1\ntime {timestamp}\n{text}".encode()
