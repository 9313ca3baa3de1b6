"""Proof that a log contradicts itself: two checkpoints that it signed and that no single tree can have.

Two of one size need only differ. If the sizes differ, the proof takes hashes as well: the root that the larger tree
has at the smaller size, then the consistency proof from there (RFC 6962 §2.1.2). The proof holds for that root,
and the smaller checkpoint has another.
"""

from collections.abc import Sequence

from a2ap.errors import EquivocationError, NoteError, ProofError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint
from a2ap.log.log_key import LogKeys
from a2ap.log.merkle import verify_consistency
from a2ap.log.signed_note import VerifierKey


def verify_equivocation(note_a: str, note_b: str, key: VerifierKey | LogKeys, hashes: Sequence[bytes] = ()) -> None:
    """Raise `EquivocationError` unless the log signed both checkpoints and they contradict each other.

    `hashes` is empty if the sizes are equal. Raises `LogFormatError` if a note is not a checkpoint.
    """
    smaller, larger = sorted((_open(note_a, key), _open(note_b, key)), key=lambda checkpoint: checkpoint.tree_size)
    if smaller.tree_size == larger.tree_size:
        if hashes:
            raise EquivocationError("two checkpoints of one size need no hashes beside them")
        if smaller.root_hash == larger.root_hash:
            raise EquivocationError(f"both checkpoints have the same root of {smaller.tree_size} leaves")
        return
    if not hashes:
        raise EquivocationError(
            f"checkpoints of {smaller.tree_size} and {larger.tree_size} leaves do not contradict each other as they are"
        )
    if hashes[0] == smaller.root_hash:
        raise EquivocationError(f"the larger tree begins with the smaller one, of {smaller.tree_size} leaves")
    try:
        verify_consistency(smaller.tree_size, larger.tree_size, hashes[0], larger.root_hash, hashes[1:])
    except ProofError as error:
        raise EquivocationError(
            f"the hashes do not prove the first {smaller.tree_size} leaves of the larger tree: {error}"
        ) from error


def _open(note: str, key: VerifierKey | LogKeys) -> Checkpoint:
    try:
        return open_checkpoint(note, key)
    except NoteError as error:
        raise EquivocationError(f"a checkpoint is not the log's: {error}") from error
