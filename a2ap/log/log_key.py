"""Changes of a log's key: the old key signs a note that names the new one and the last size that it signed itself.

Checkpoints of more leaves are signed by the new key. A holder of any earlier key follows the notes from there.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from a2ap.errors import KeyFormatError, LogFormatError, NoteError, SuccessionError
from a2ap.log.line_values import read_decimal
from a2ap.log.signed_note import ED25519, VerifierKey, open_note, read_note, sign_note
from a2ap.signing.keys import Signer

_HEADER = "a2ap.log-key/v1"


@dataclass(frozen=True, slots=True)
class Succession:
    """The content of a succession note: trees of more than `tree_size` leaves are signed by `new_key`."""

    origin: str
    new_key: VerifierKey
    tree_size: int


@dataclass(frozen=True, slots=True)
class LogKeys:
    """The keys of a log: the first that is known, and those that it and its successors name, in order."""

    first: VerifierKey
    successions: tuple[Succession, ...] = ()

    @property
    def origin(self) -> str:
        """Return the name of the log, which all of its keys carry."""
        return self.first.name

    @property
    def newest(self) -> VerifierKey:
        """Return the key that signs the log from now on."""
        return self.successions[-1].new_key if self.successions else self.first

    def at(self, tree_size: int) -> VerifierKey:
        """Return the key that signs a tree of this size."""
        key = self.first
        for succession in self.successions:
            if succession.tree_size < tree_size:
                key = succession.new_key
        return key


def build_succession(origin: str, new_key: VerifierKey, tree_size: int, signer: Signer) -> str:
    """Return the note with which the key of `signer` hands the log over after `tree_size` leaves."""
    if new_key.name != origin or new_key.algorithm != ED25519:
        raise ValueError(f"a log key of {origin!r} has its name and is of type 1")
    if tree_size < 0:
        raise ValueError("a log has no fewer than 0 leaves")
    return sign_note(f"{_HEADER}\n{origin}\n{new_key.text}\n{tree_size}\n", origin, signer)


def read_succession(note: str) -> Succession:
    """Return the content of a succession note without checking its signature; raises `LogFormatError`."""
    lines = read_note(note).text.split("\n")
    if len(lines) != 5 or lines[0] != _HEADER or not lines[1]:
        raise LogFormatError(f"a succession has four lines, the first of them {_HEADER}")
    try:
        new_key = VerifierKey.parse(lines[2])
    except KeyFormatError as error:
        raise LogFormatError(f"the succession names no key: {error}") from error
    if new_key.name != lines[1] or new_key.algorithm != ED25519:
        raise LogFormatError(f"{new_key.text!r} is not a log key of {lines[1]!r}")
    return Succession(lines[1], new_key, read_decimal(lines[3], "the tree size"))


def open_succession(note: str, key: VerifierKey) -> Succession:
    """Return the content of a succession note that `key` signed.

    Raises `LogFormatError` if it is not a succession, `SuccessionError` if `key` did not sign it or it is of
    another log.
    """
    succession = read_succession(note)
    try:
        open_note(note, [key])
    except NoteError as error:
        raise SuccessionError(f"the succession to {succession.new_key.text!r} is not by the key before it") from error
    if succession.origin != key.name:
        raise SuccessionError(f"the succession is of the log {succession.origin!r}, not of {key.name!r}")
    return succession


def follow_successions(key: VerifierKey, notes: Iterable[str]) -> LogKeys:
    """Return the keys of a log from `key` on, which may be any of them; `notes` are in log order.

    Notes by keys that came before `key` are passed over. Raises `SuccessionError` if a key hands the log over twice, to
    an earlier key, or below the size of an earlier succession, or its signature does not hold; `LogFormatError`.
    """
    keys = LogKeys(key)
    spent: list[VerifierKey] = []
    for note in notes:
        signatures = read_note(note).signatures
        if any(signature.is_by(earlier) for signature in signatures for earlier in spent):
            raise SuccessionError(f"a key of {keys.origin!r} hands the log over twice")
        if not any(signature.is_by(keys.newest) for signature in signatures):
            continue
        succession = open_succession(note, keys.newest)
        if keys.successions and succession.tree_size < keys.successions[-1].tree_size:
            raise SuccessionError(f"the succession at {succession.tree_size} leaves is older than the one before it")
        spent.append(keys.newest)
        if succession.new_key in spent:
            raise SuccessionError(f"{succession.new_key.text!r} is an earlier key of the same log")
        keys = LogKeys(key, (*keys.successions, succession))
    return keys
