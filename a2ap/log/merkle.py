"""The Merkle tree of RFC 6962: root hashes, proofs of inclusion and consistency, and their verification.

Leaves are given by their hashes. A proof is made from the hashes of full subtrees, which a caller finds by level
and index (`HashAt`), and costs a number of them that grows with the logarithm of the tree size.
"""

import hashlib
from collections.abc import Callable, Sequence

from a2ap.errors import ProofError

HASH_BYTES = 32
MAX_TREE_SIZE = 2**63 - 1

EMPTY_ROOT = hashlib.sha256(b"").digest()

HashAt = Callable[[int, int], bytes]
"""`(level, index)` → the hash of the full subtree of 2**level leaves that begins at leaf `index * 2**level`."""


def hash_leaf(data: bytes) -> bytes:
    """Return the hash of a leaf. RFC 6962 §2.1: leaves and nodes are hashed with different prefixes."""
    return hashlib.sha256(b"\x00" + data).digest()


def hash_children(left: bytes, right: bytes) -> bytes:
    """Return the hash of the node above two hashes."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_hash(leaf_hashes: Sequence[bytes]) -> bytes:
    """Return the root of the tree over these leaf hashes; `EMPTY_ROOT` if there are none."""
    hashes = list(leaf_hashes)
    if not hashes:
        return EMPTY_ROOT
    while len(hashes) > 1:
        above = [hash_children(hashes[i], hashes[i + 1]) for i in range(0, len(hashes) - 1, 2)]
        # The last of an odd number moves up as it is: the tree is cut at the largest power of two (RFC 6962 §2.1).
        hashes = above + hashes[len(above) * 2 :]
    return hashes[0]


def tree_root(tree_size: int, hash_at: HashAt) -> bytes:
    """Return the root of the first `tree_size` leaves of a tree whose subtrees are known."""
    if not 0 <= tree_size <= MAX_TREE_SIZE:
        raise ValueError(f"a tree of {_shown(tree_size)} leaves")
    return _range_hash(0, tree_size, hash_at) if tree_size else EMPTY_ROOT


def inclusion_proof(log_index: int, tree_size: int, hash_at: HashAt) -> tuple[bytes, ...]:
    """Return the proof that a leaf is in the tree, the leaf's sibling first (RFC 6962 §2.1.1)."""
    if not 0 <= log_index < tree_size <= MAX_TREE_SIZE:
        raise ValueError(f"there is no leaf {_shown(log_index)} in a tree of {_shown(tree_size)} leaves")
    hashes: list[bytes] = []
    start, size = 0, tree_size
    while size > 1:
        left = _left_size(size)
        if log_index - start < left:
            hashes.append(_range_hash(start + left, size - left, hash_at))
            size = left
        else:
            hashes.append(_range_hash(start, left, hash_at))
            start, size = start + left, size - left
    return tuple(reversed(hashes))


def consistency_proof(old_size: int, new_size: int, hash_at: HashAt) -> tuple[bytes, ...]:
    """Return the proof that the first `old_size` leaves are the old tree's (RFC 6962 §2.1.2); none for 0."""
    if not 0 <= old_size <= new_size <= MAX_TREE_SIZE:
        raise ValueError(f"no tree of {_shown(new_size)} leaves continues one of {_shown(old_size)}")
    if old_size == 0:
        return ()
    hashes: list[bytes] = []
    start, old, size = 0, old_size, new_size
    while old != size:
        left = _left_size(size)
        if old <= left:
            hashes.append(_range_hash(start + left, size - left, hash_at))
            size = left
        else:
            hashes.append(_range_hash(start, left, hash_at))
            start, old, size = start + left, old - left, size - left
    if start:  # Where the old tree is a subtree of the new one, its root is known to the verifier.
        hashes.append(_range_hash(start, size, hash_at))
    return tuple(reversed(hashes))


def verify_inclusion(leaf_hash: bytes, log_index: int, tree_size: int, proof: Sequence[bytes], root: bytes) -> None:
    """Raise `ProofError` unless `proof` leads from the leaf at `log_index` to `root` (RFC 9162 §2.1.3.2)."""
    if not 0 <= log_index < tree_size <= MAX_TREE_SIZE:
        raise ProofError(f"there is no leaf {_shown(log_index)} in a tree of {_shown(tree_size)} leaves")
    _check_hashes(leaf_hash, root, *proof)
    place, last, found = log_index, tree_size - 1, leaf_hash
    for hash_ in proof:
        if last == 0:
            raise ProofError(f"the inclusion proof of leaf {log_index} goes on above the root")
        if place & 1 or place == last:
            found = hash_children(hash_, found)
            place, last = _skip_levels(place, last)
        else:
            found = hash_children(found, hash_)
        place, last = place >> 1, last >> 1
    if last != 0:
        raise ProofError(f"the inclusion proof of leaf {log_index} ends below the root")
    if found != root:
        raise ProofError(f"leaf {log_index} is not in the tree of {tree_size} leaves with this root")


def verify_consistency(old_size: int, new_size: int, old_root: bytes, new_root: bytes, proof: Sequence[bytes]) -> None:
    """Raise `ProofError` unless the new tree begins with the leaves of the old one (RFC 9162 §2.1.4.2).

    An empty old tree is refused: every tree continues it, so there is nothing that a proof could say.
    """
    if not 0 < old_size <= new_size <= MAX_TREE_SIZE:
        raise ProofError(f"there is no proof from {_shown(old_size)} to {_shown(new_size)} leaves")
    if old_size == new_size:
        if proof:
            raise ProofError(f"a proof from {old_size} leaves to as many is empty")
        if old_root != new_root:
            raise ProofError(f"there are two roots of {old_size} leaves")
        return
    _check_hashes(old_root, new_root, *proof)
    # The old root is left out of the proof where it is a node of the new tree.
    hashes = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not hashes:
        raise ProofError(f"the proof from {old_size} to {new_size} leaves is empty")
    place, last = old_size - 1, new_size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old_found = new_found = hashes[0]
    for hash_ in hashes[1:]:
        if last == 0:
            raise ProofError(f"the proof from {old_size} to {new_size} leaves goes on above the root")
        if place & 1 or place == last:
            old_found, new_found = hash_children(hash_, old_found), hash_children(hash_, new_found)
            place, last = _skip_levels(place, last)
        else:
            new_found = hash_children(new_found, hash_)
        place, last = place >> 1, last >> 1
    if last != 0:
        raise ProofError(f"the proof from {old_size} to {new_size} leaves ends below the root")
    if old_found != old_root or new_found != new_root:
        which, size = ("old", old_size) if old_found != old_root else ("new", new_size)
        raise ProofError(f"the proof does not lead to the {which} root, of {size} leaves")


class Frontier:
    """The right edge of a growing tree: enough to append leaves and to know the root, in logarithmic space."""

    __slots__ = ("_hashes", "_size")

    def __init__(self, size: int = 0, hashes: Sequence[bytes] = ()) -> None:
        if not 0 <= size <= MAX_TREE_SIZE or len(hashes) != size.bit_count():
            raise ValueError(f"{len(hashes)} hashes are not the right edge of {_shown(size)} leaves")
        self._size = size
        self._hashes = list(hashes)

    @classmethod
    def at(cls, tree_size: int, hash_at: HashAt) -> "Frontier":
        """Return the right edge of the first `tree_size` leaves of a tree whose subtrees are known."""
        return cls(tree_size, _full_subtrees(0, tree_size, hash_at))

    @property
    def size(self) -> int:
        """Return the number of leaves."""
        return self._size

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """Return the hashes of the full subtrees that the leaves make up, the largest first."""
        return tuple(self._hashes)

    @property
    def root(self) -> bytes:
        """Return the root hash of all leaves so far."""
        return _fold(self._hashes) if self._hashes else EMPTY_ROOT

    def append(self, leaf_hash: bytes) -> tuple[bytes, ...]:
        """Add a leaf; return the hashes of the full subtrees that end with it, its own first, then level by level."""
        if len(leaf_hash) != HASH_BYTES:
            raise ValueError(f"a leaf hash has {HASH_BYTES} bytes, not {len(leaf_hash)}")
        completed = [leaf_hash]
        for _ in range((~self._size & (self._size + 1)).bit_length() - 1):
            completed.append(hash_children(self._hashes.pop(), completed[-1]))
        self._hashes.append(completed[-1])
        self._size += 1
        return tuple(completed)


def _left_size(size: int) -> int:
    """Return the largest power of two below `size`."""
    return 1 << ((size - 1).bit_length() - 1)


def _range_hash(start: int, size: int, hash_at: HashAt) -> bytes:
    return _fold(_full_subtrees(start, size, hash_at))


def _full_subtrees(start: int, size: int, hash_at: HashAt) -> list[bytes]:
    """Return the hashes of the full subtrees, the largest first, of a range that is a subtree of RFC 6962."""
    hashes = []
    while size:
        level = size.bit_length() - 1
        hashes.append(hash_at(level, start >> level))
        start, size = start + (1 << level), size - (1 << level)
    return hashes


def _fold(hashes: Sequence[bytes]) -> bytes:
    found = hashes[-1]
    for hash_ in reversed(hashes[:-1]):
        found = hash_children(hash_, found)
    return found


def _skip_levels(place: int, last: int) -> tuple[int, int]:
    """Climb from a node on the right edge past the levels on which it has no sibling."""
    while place and not place & 1:
        place, last = place >> 1, last >> 1
    return place, last


def _check_hashes(*hashes: bytes) -> None:
    for hash_ in hashes:
        if len(hash_) != HASH_BYTES:
            raise ProofError(f"a hash has {len(hash_)} bytes, not {HASH_BYTES}")


def _shown(number: int) -> str:
    # Python refuses to write integers of more than 4,300 digits.
    return str(number) if abs(number) <= MAX_TREE_SIZE else "2^63 or more" if number > 0 else "fewer than 0"
