"""Trees for tests of the log: leaves in, the hash of any full subtree, any root and any signed checkpoint out."""

from collections.abc import Iterable

from builders import agent_key

from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.log_proof import LogProof
from a2ap.log.merkle import Frontier, consistency_proof, hash_leaf, inclusion_proof, tree_root
from a2ap.log.signed_note import COSIGNATURE, VerifierKey
from a2ap.signing.keys import SigningKey

ORIGIN = "urn:agent:a2ap-node:0123456789abcdef"
LOG = agent_key(90)
LOG_KEY = VerifierKey(ORIGIN, LOG.public_key)


class Tree:
    """A tree that remembers every full subtree; leaf n is the text `entry n` unless others are given."""

    def __init__(self, leaves: int | Iterable[bytes]) -> None:
        self.entries = [b"entry %d" % n for n in range(leaves)] if isinstance(leaves, int) else list(leaves)
        self.leaf_hashes = [hash_leaf(entry) for entry in self.entries]
        self.frontier = Frontier()
        self._hashes: dict[tuple[int, int], bytes] = {}
        for index, leaf_hash in enumerate(self.leaf_hashes):
            for level, hash_ in enumerate(self.frontier.append(leaf_hash)):
                self._hashes[level, index >> level] = hash_

    def hash_at(self, level: int, index: int) -> bytes:
        return self._hashes[level, index]

    def root(self, size: int) -> bytes:
        return tree_root(size, self.hash_at)

    def inclusion(self, index: int, size: int) -> tuple[bytes, ...]:
        return inclusion_proof(index, size, self.hash_at)

    def consistency(self, old: int, new: int) -> tuple[bytes, ...]:
        return consistency_proof(old, new, self.hash_at)

    def checkpoint(self, size: int, *, origin: str = ORIGIN, key: SigningKey = LOG) -> str:
        return sign_checkpoint(Checkpoint(origin, size, self.root(size)), key)

    def proof(self, index: int, size: int, **changes: str) -> LogProof:
        return LogProof(index, self.inclusion(index, size), changes.get("note", self.checkpoint(size)))


def witness_key(number: int) -> VerifierKey:
    """Return the verifier key of witness `number`, whose signing key is `agent_key(number)`."""
    return VerifierKey(f"witness.example/{number}", agent_key(number).public_key, COSIGNATURE)
