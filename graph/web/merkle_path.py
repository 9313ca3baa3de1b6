"""The path from a leaf of the log to the root, as a page draws it: a ladder of nodes, each with its sibling.

Rules:

- Nodes and the hashes beside them are computed as RFC 9162 §2.1.3.2 says; the page's script computes them again.
- The drawing is a ladder and not the whole tree: the nodes of the path stand above each other, siblings at their sides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.log.merkle import hash_children, hash_leaf

WIDTH = 640
_STEP = 64
_MARGIN = 28
_CENTRE = 320
_SIDES = {"left": 112, "right": 528}


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step up: the sibling at `side` of the node below, and the hash of the node above both, in hexadecimal."""

    side: str
    sibling: str
    node: str


@dataclass(frozen=True, slots=True)
class MerklePath:
    """The hash of a leaf, and the steps from it to the root."""

    leaf: str
    steps: tuple[PathStep, ...]

    @property
    def root(self) -> str:
        """Return the hash to which the path leads."""
        return self.steps[-1].node if self.steps else self.leaf


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node of the drawing: its centre, its hash, and its words; `parent` is the centre of the node above it."""

    x: int
    y: int
    hash: str
    words: str
    kind: str
    parent: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class Drawing:
    """The nodes of a path in the plane, the leaf at the bottom."""

    width: int
    height: int
    nodes: tuple[DrawnNode, ...]


def path_of(entry: bytes, log_index: int, tree_size: int, hashes: Sequence[bytes]) -> MerklePath:
    """Return the path of the leaf with these bytes; nothing says yet that it leads to the root of a checkpoint."""
    found = hash_leaf(entry)
    leaf, steps = found.hex(), []
    place, last = log_index, tree_size - 1
    for sibling in hashes:
        side = "left" if place & 1 or place == last else "right"
        found = hash_children(sibling, found) if side == "left" else hash_children(found, sibling)
        # A node on the right edge has no sibling on some levels.
        while side == "left" and place and not place & 1:
            place, last = place >> 1, last >> 1
        place, last = place >> 1, last >> 1
        steps.append(PathStep(side, sibling.hex(), found.hex()))
    return MerklePath(leaf, tuple(steps))


def drawing_of(path: MerklePath, log_index: int) -> Drawing:
    """Return the drawing of a path."""
    height = 2 * _MARGIN + _STEP * len(path.steps)
    nodes = []
    below, words = path.leaf, f"leaf {log_index}"
    for number, step in enumerate(path.steps):
        y = height - _MARGIN - _STEP * number
        above = (_CENTRE, y - _STEP)
        kind = "node" if number else "leaf"
        nodes.append(DrawnNode(_CENTRE, y, below, words, kind, above))
        nodes.append(DrawnNode(_SIDES[step.side], y, step.sibling, f"sibling {number + 1}", "sibling", above))
        below, words = step.node, f"node {number + 1}"
    nodes.append(DrawnNode(_CENTRE, _MARGIN, below, "root", "root", None))
    return Drawing(WIDTH, height, tuple(nodes))
