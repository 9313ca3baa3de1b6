"""Checkpoints: a log's name, tree size and root hash as the text of a signed note (C2SP tlog-checkpoint)."""

from dataclasses import dataclass

from a2ap.errors import LogFormatError, NoteError
from a2ap.log.line_values import encode_base64, read_decimal, read_hash
from a2ap.log.log_key import LogKeys
from a2ap.log.merkle import EMPTY_ROOT
from a2ap.log.signed_note import VerifierKey, open_note, read_note, sign_note
from a2ap.signing.keys import Signer


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The state of a log at one size. Extension lines are read and kept; we write none."""

    origin: str
    tree_size: int
    root_hash: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the text to be signed."""
        lines = (self.origin, str(self.tree_size), encode_base64(self.root_hash), *self.extensions)
        return "".join(line + "\n" for line in lines)


def read_checkpoint(text: str) -> Checkpoint:
    """Read the text of a checkpoint, not its signatures; raises `LogFormatError`."""
    *lines, rest = text.split("\n")
    if rest or len(lines) < 3 or not all(lines):
        raise LogFormatError("a checkpoint has three lines or more, none of them empty")
    origin, size, root, *extensions = lines
    checkpoint = Checkpoint(
        origin=origin,
        tree_size=read_decimal(size, "the tree size"),
        root_hash=read_hash(root, "the root hash"),
        extensions=tuple(extensions),
    )
    if checkpoint.tree_size == 0 and checkpoint.root_hash != EMPTY_ROOT:
        raise LogFormatError("the root hash of the empty tree is another")
    return checkpoint


def sign_checkpoint(checkpoint: Checkpoint, signer: Signer) -> str:
    """Return the signed note of a checkpoint, under the origin as the name of the key."""
    return sign_note(checkpoint.text, checkpoint.origin, signer)


def open_checkpoint(note: str, key: VerifierKey | LogKeys) -> Checkpoint:
    """Return the checkpoint that `key` signed; with `LogKeys`, the key for its tree size must have signed it.

    Raises `NoteError` if it did not sign it, or if the checkpoint is of another log than the one that the key is named
    after, and `LogFormatError` if the note is not a checkpoint.
    """
    if isinstance(key, LogKeys):
        key = key.at(read_checkpoint(read_note(note).text).tree_size)
    checkpoint = read_checkpoint(open_note(note, [key]).text)
    if checkpoint.origin != key.name:
        raise NoteError(f"the checkpoint is of the log {checkpoint.origin!r}, not of {key.name!r}")
    return checkpoint
