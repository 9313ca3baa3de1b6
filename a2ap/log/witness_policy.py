"""Witness policies: a set of witnesses, and how many of them must have cosigned a checkpoint."""

from dataclasses import dataclass

from a2ap.errors import WitnessError
from a2ap.log.cosignature import open_cosignatures
from a2ap.log.signed_note import COSIGNATURE, VerifierKey


@dataclass(frozen=True, slots=True)
class WitnessPolicy:
    """`quorum` of these witnesses; 0 requires none."""

    quorum: int
    witnesses: tuple[VerifierKey, ...]

    def __post_init__(self) -> None:
        if any(witness.algorithm != COSIGNATURE for witness in self.witnesses):
            raise ValueError("the key of a witness is of type 4")
        # A cosignature does not name its witness, so one key under two names would count twice.
        if len({witness.public_key for witness in self.witnesses}) != len(self.witnesses):
            raise ValueError("two witnesses have the same key")
        if not 0 <= self.quorum <= len(self.witnesses):
            raise ValueError(f"{self.quorum} of {len(self.witnesses)} witnesses")

    def check(self, note: str) -> None:
        """Raise `WitnessError` unless enough of the witnesses cosigned, `NoteError` if a cosignature does not hold."""
        found = {cosignature.witness for cosignature in open_cosignatures(note, self.witnesses)}
        if len(found) < self.quorum:
            raise WitnessError(
                f"{len(found)} of {len(self.witnesses)} witnesses cosigned the checkpoint, fewer than {self.quorum}"
            )
