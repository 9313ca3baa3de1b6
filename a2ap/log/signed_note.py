"""Signed notes: a text with signature lines under it, and the verifier keys that travel as `name+id+key` (C2SP).

An Ed25519 key of type 1 signs the text itself. Keys of type 4 are witnesses', whose timestamped signatures
`a2ap.log.cosignature` reads. Signatures of unknown keys are passed over, as the format requires.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.errors import KeyFormatError, LogFormatError, NoteError, SignatureError
from a2ap.log.line_values import decode_base64, encode_base64
from a2ap.signing.keys import PublicKey, Signer

ED25519 = 1
COSIGNATURE = 4

# signed-note asks verifiers for some limit, and to accept at least 16 signatures.
MAX_NOTE_BYTES = 1_000_000
MAX_SIGNATURES = 100

_SIGNATURE_PREFIX = "— "
_KEY_ID_BYTES = 4
_KEY_TEXT = re.compile(r"([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)")
_CONTROL = re.compile("[\x00-\x09\x0b-\x1f]")


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key with the name and algorithm under which it signs notes."""

    name: str
    public_key: PublicKey
    algorithm: int = ED25519

    def __post_init__(self) -> None:
        if problem := _name_problem(self.name):
            raise ValueError(f"the key name {self.name!r} {problem}")
        if self.algorithm not in (ED25519, COSIGNATURE):
            raise ValueError(f"note signatures of type {self.algorithm} are not made here")

    @property
    def key_id(self) -> bytes:
        """Return the four bytes that stand before its signatures."""
        return hashlib.sha256(self.name.encode() + b"\n" + self._typed_key).digest()[:_KEY_ID_BYTES]

    @property
    def text(self) -> str:
        """Return the verifier key as text: name, key id in hexadecimal, type and key in base64."""
        return f"{self.name}+{self.key_id.hex()}+{encode_base64(self._typed_key)}"

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Read a verifier key; raises `KeyFormatError` for another type or spelling, or an id that is another key's."""
        match = _KEY_TEXT.fullmatch(text)
        if match is None:
            raise KeyFormatError(f"{text[:200]!r} is not a verifier key: name+id+key")
        typed_key = decode_base64(match[3])
        if typed_key is None or len(typed_key) < 2:
            raise KeyFormatError(f"the verifier key {text[:200]!r} has no key in padded standard base64")
        if typed_key[0] not in (ED25519, COSIGNATURE) or len(typed_key) != 33:
            raise KeyFormatError(f"the verifier key {text[:200]!r} is of type {typed_key[0]}, which is not read here")
        if problem := _name_problem(match[1]):
            raise KeyFormatError(f"the name of the verifier key {text[:200]!r} {problem}")
        key = cls(match[1], PublicKey.from_base64(encode_base64(typed_key[1:])), typed_key[0])
        if key.text != text:
            raise KeyFormatError(f"{match[2]} is not the id of the verifier key {key.text!r}")
        return key

    @property
    def _typed_key(self) -> bytes:
        return bytes([self.algorithm]) + self.public_key.data


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """A signature line of a note: the key that it names, and the bytes of the signature."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        """Return the line, with its newline."""
        return f"{_SIGNATURE_PREFIX}{self.name} {encode_base64(self.key_id + self.signature)}\n"

    def is_by(self, key: VerifierKey) -> bool:
        """Say whether the line names this key; the signature is not checked."""
        return (self.name, self.key_id) == (key.name, key.key_id)


@dataclass(frozen=True, slots=True)
class UnverifiedNote:
    """A note taken apart: nothing in it is verified."""

    text: str
    signatures: tuple[NoteSignature, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """The text of a note, and the known keys that signed it, each once."""

    text: str
    verified: tuple[VerifierKey, ...]


def sign_note(text: str, name: str, signer: Signer) -> str:
    """Return the note with one Ed25519 signature under it; `text` ends with a newline."""
    if problem := _text_problem(text):
        raise ValueError(f"the text of a note {problem}")
    key = VerifierKey(name, signer.public_key)
    return text + "\n" + NoteSignature(name, key.key_id, signer.sign(text.encode())).line


def add_signature(note: str, line: str) -> str:
    """Return the note with one more signature line, unless it is there already; raises `LogFormatError`."""
    lines = {signature.line for signature in read_note(note).signatures}
    added = read_signature_line(line).line
    return note if added in lines else note + added


def open_note(note: str, keys: Sequence[VerifierKey]) -> Note:
    """Return the text with those of `keys` that signed it, in the order of the lines.

    Raises `LogFormatError` if the text is not a note, `NoteError` if none of the keys signed it or the signature
    of one does not hold.
    """
    if any(key.algorithm != ED25519 for key in keys):
        raise ValueError("a cosignature key signs no note text")
    unverified = read_note(note)
    verified: list[VerifierKey] = []
    for signature in unverified.signatures:
        for key in keys:
            if signature.is_by(key):
                _verify(unverified.text, signature, key)
                if key not in verified:
                    verified.append(key)
    if not verified:
        names = ", ".join(sorted({key.name for key in keys})) or "any key"
        raise NoteError(f"the note is not signed by {names} with a key that is known")
    return Note(unverified.text, tuple(verified))


def read_note(note: str) -> UnverifiedNote:
    """Take a note apart without verifying it; raises `LogFormatError`."""
    if len(note) > MAX_NOTE_BYTES:
        raise LogFormatError(f"the note has {len(note)} characters, more than {MAX_NOTE_BYTES}")
    # The text may have empty lines itself: the last one ends it.
    end = note.rfind("\n\n")
    if end < 0 or end + 2 == len(note) or not note.endswith("\n"):
        raise LogFormatError("a note has an empty line and signature lines under its text, each with its newline")
    text, lines = note[: end + 1], [line + "\n" for line in note[end + 2 :].removesuffix("\n").split("\n")]
    if problem := _text_problem(text):
        raise LogFormatError(f"the text of the note {problem}")
    if len(lines) > MAX_SIGNATURES:
        raise LogFormatError(f"the note has {len(lines)} signatures, more than {MAX_SIGNATURES}")
    return UnverifiedNote(text, tuple(map(read_signature_line, lines)))


def read_signature_line(line: str) -> NoteSignature:
    """Read one line `— name base64` with its newline; raises `LogFormatError`."""
    prefix, _, rest = line.partition(" ")
    name, _, encoded = rest.removesuffix("\n").partition(" ")
    data = decode_base64(encoded)
    if prefix + " " != _SIGNATURE_PREFIX or not line.endswith("\n") or _name_problem(name):
        raise LogFormatError(f"{line[:200]!r} is not a signature line of a note")
    if data is None or len(data) <= _KEY_ID_BYTES:
        raise LogFormatError(f"the line of {name!r} has no signature in padded standard base64")
    return NoteSignature(name, data[:_KEY_ID_BYTES], data[_KEY_ID_BYTES:])


def _verify(text: str, signature: NoteSignature, key: VerifierKey) -> None:
    try:
        key.public_key.verify(text.encode(), signature.signature)
    except SignatureError as error:
        raise NoteError(f"the signature of {key.name} with key {key.key_id.hex()} does not hold") from error


def _text_problem(text: str) -> str | None:
    if not text.endswith("\n"):
        return "does not end with a newline"
    if _CONTROL.search(text):
        return "has a control character"
    try:
        text.encode()
    except UnicodeEncodeError:
        return "has a lone surrogate"
    return None


def _name_problem(name: str) -> str | None:
    if not name:
        return "is empty"
    if "+" in name or any(character.isspace() for character in name):
        return "has a space or a plus sign in it"
    return _text_problem(name + "\n")
