"""Proofs that an entry is in a log, to be checked off-line: index, hashes and checkpoint (C2SP tlog-proof)."""

from dataclasses import dataclass

from a2ap.errors import LogFormatError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint
from a2ap.log.line_values import decode_base64, encode_base64, read_decimal, read_hash
from a2ap.log.log_key import LogKeys
from a2ap.log.merkle import hash_leaf, verify_inclusion
from a2ap.log.signed_note import VerifierKey, read_note
from a2ap.log.witness_policy import WitnessPolicy

_HEADER = "c2sp.org/tlog-proof@v1"
_MAX_HASHES = 63


@dataclass(frozen=True, slots=True)
class LogProof:
    """A proof: `hashes` lead from the leaf's sibling up; others may add `extra`, for which nothing vouches."""

    log_index: int
    hashes: tuple[bytes, ...]
    checkpoint_note: str
    extra: bytes = b""

    @property
    def text(self) -> str:
        """Return the proof as text, usually kept in a file `*.tlog-proof`."""
        extra = [f"extra {encode_base64(self.extra)}"] if self.extra else []
        lines = [_HEADER, *extra, f"index {self.log_index}", *map(encode_base64, self.hashes), ""]
        return "".join(line + "\n" for line in lines) + self.checkpoint_note


def read_log_proof(text: str) -> LogProof:
    """Read the text of a proof; raises `LogFormatError`. Nothing in it is verified."""
    head, separator, note = text.partition("\n\n")
    header, *lines = head.split("\n")
    if header != _HEADER or not separator:
        raise LogFormatError(f"a log proof begins with {_HEADER} and has an empty line before its checkpoint")
    extra = b""
    if lines and lines[0].startswith("extra "):
        extra = decode_base64(lines.pop(0).removeprefix("extra ")) or b""
        if not extra:
            raise LogFormatError("the extra data of the log proof is not padded standard base64")
    if not lines or not lines[0].startswith("index "):
        raise LogFormatError("the log proof has no index")
    if len(lines) > 1 + _MAX_HASHES:
        raise LogFormatError(f"the log proof has {len(lines) - 1} hashes, more than {_MAX_HASHES}")
    read_note(note)
    return LogProof(
        log_index=read_decimal(lines[0].removeprefix("index "), "the index of the log proof"),
        hashes=tuple(read_hash(line, "a line of the log proof") for line in lines[1:]),
        checkpoint_note=note,
        extra=extra,
    )


def verify_log_proof(
    proof: LogProof, entry: bytes, key: VerifierKey | LogKeys, policy: WitnessPolicy | None = None
) -> Checkpoint:
    """Return the checkpoint of the log that has these bytes as the leaf at the proof's index.

    (1) The log's key signed the checkpoint, and it is of the log that the key is named after.
    (2) As many witnesses as the policy requires cosigned it, and none of their cosignatures is false.
    (3) The hashes lead from the leaf to its root.

    Raises `NoteError`, `WitnessError`, `ProofError` in this order, `LogFormatError` if the note is not a checkpoint.
    The caller must check the content of the entry, and that it is about the message at hand.
    """
    checkpoint = open_checkpoint(proof.checkpoint_note, key)
    if policy is not None:
        policy.check(proof.checkpoint_note)
    verify_inclusion(hash_leaf(entry), proof.log_index, checkpoint.tree_size, proof.hashes, checkpoint.root_hash)
    return checkpoint
