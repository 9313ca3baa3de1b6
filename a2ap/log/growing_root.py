"""The root of a log that grows, computed from the full subtrees at its end (RFC 6962 §2.1)."""

from collections.abc import Sequence

from a2ap.log.merkle import EMPTY_ROOT, HASH_BYTES, hash_children


class GrowingRoot:
    """The first `size` leaves of a tree, by the roots of the full subtrees that they make, the largest first."""

    def __init__(self, size: int = 0, roots: Sequence[bytes] = ()) -> None:
        heights = [height for height in reversed(range(size.bit_length())) if size >> height & 1]
        if len(heights) != len(roots) or any(len(root) != HASH_BYTES for root in roots):
            raise ValueError(f"{len(roots)} subtrees, and a tree of {size} leaves has {len(heights)}")
        self.size = size
        self._full = list(zip(heights, roots, strict=True))

    @property
    def roots(self) -> tuple[bytes, ...]:
        """Return the roots of the full subtrees, the largest first."""
        return tuple(root for _, root in self._full)

    @property
    def root(self) -> bytes:
        """Return the root of the tree."""
        if not self._full:
            return EMPTY_ROOT
        *others, (_, root) = self._full
        for _, other in reversed(others):
            root = hash_children(other, root)
        return root

    def add(self, leaf_hash: bytes) -> None:
        """Add the next leaf."""
        height, root = 0, leaf_hash
        while self._full and self._full[-1][0] == height:
            height, root = height + 1, hash_children(self._full.pop()[1], root)
        self._full.append((height, root))
        self.size += 1
