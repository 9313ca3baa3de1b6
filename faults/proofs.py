"""Checks that receipts prove their entries, and that all checkpoints ever published are of one log."""

from collections.abc import Mapping, Sequence
from typing import Any

from a2ap.errors import A2APError, ProofError
from a2ap.log.checkpoint import Checkpoint, open_checkpoint
from a2ap.log.entry import LogEntry, entry_bytes
from a2ap.log.log_proof import read_log_proof, verify_log_proof
from a2ap.log.merkle import EMPTY_ROOT, Frontier, hash_leaf
from a2ap.log.signed_note import VerifierKey


class Proofs:
    """The root of each tree size that was proved, by the key of the log when its graph was founded."""

    def __init__(self, key: VerifierKey) -> None:
        self.verified = 0
        self._key = key
        self._roots: dict[int, bytes] = {}

    def find_problems(self, receipts: Sequence[Mapping[str, Any]], entries: Sequence[LogEntry], note: str) -> list[str]:
        """Verify new receipts and the current checkpoint; compare everything signed so far with the log."""
        problems = []
        for receipt in receipts:
            try:
                self._verify(receipt, entries)
            except A2APError as error:
                problems.append(f"the proof of entry {receipt['logIndex']}: {error}")
        try:
            served = open_checkpoint(note, self._key)
            self._remember(served)
        except A2APError as error:
            problems.append(f"the checkpoint that is served: {error}")
        else:
            if served.tree_size != len(entries):
                problems.append(f"a checkpoint of {served.tree_size} entries is served; the log has {len(entries)}")
        roots = roots_of(entries)
        for size, root in self._roots.items():
            if size >= len(roots):
                problems.append(f"a checkpoint of {size} entries was signed, and the log has {len(entries)}")
            elif roots[size] != root:
                problems.append(f"the checkpoint of {size} entries is not of this log")
        return problems

    def _verify(self, receipt: Mapping[str, Any], entries: Sequence[LogEntry]) -> None:
        place, leaf = receipt["logIndex"], receipt["entry"].encode()
        proof = read_log_proof(receipt["proof"])
        if proof.log_index != place:
            raise ProofError(f"it is of entry {proof.log_index}")
        if place >= len(entries) or leaf != entry_bytes(entries[place]):
            raise ProofError("the log has another entry there")
        self._remember(verify_log_proof(proof, leaf, self._key))
        self.verified += 1

    def _remember(self, checkpoint: Checkpoint) -> None:
        known = self._roots.setdefault(checkpoint.tree_size, checkpoint.root_hash)
        if known != checkpoint.root_hash:
            raise ProofError(f"two checkpoints of {checkpoint.tree_size} entries were signed")


def roots_of(entries: Sequence[LogEntry]) -> list[bytes]:
    """Return the root of each tree size of a log, from 0 on."""
    tree, roots = Frontier(), [EMPTY_ROOT]
    for entry in entries:
        tree.append(hash_leaf(entry_bytes(entry)))
        roots.append(tree.root)
    return roots
