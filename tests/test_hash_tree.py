"""The node's tree: its tiles and hashes are those of the definition, whatever of them is in memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from a2ap.log.merkle import (
    consistency_proof,
    hash_leaf,
    inclusion_proof,
    root_hash,
    verify_consistency,
    verify_inclusion,
)
from a2ap.log.tiles import TILE_WIDTH, parse_tile_path, read_entry_bundle
from graph.transparency.hash_tree import HashTree, MissingTileError, nodes_of, root_of_tile

SIZE = 70_000
LEAVES = [hash_leaf(str(number).encode()) for number in range(SIZE)]


def grown(size: int, cached_tiles: int = 1024) -> tuple[HashTree, dict[str, bytes]]:
    tree = HashTree(cached_tiles)
    for number in range(size):
        tree.append(str(number).encode())
    return tree, tree.take_full()


TREE, FULL = grown(SIZE)


def test_the_tiles_are_those_of_the_example_in_the_specification() -> None:
    """tlog-tiles: a tree of 70,000 leaves has 273 full tiles of level 0, one of level 1, and three partial ones."""
    tiles = [parse_tile_path(path) for path in FULL]
    assert sum(tile.level == 0 for tile in tiles) == sum(tile.level is None for tile in tiles) == 273
    assert sum(tile.level == 1 for tile in tiles) == 1
    assert [len(TREE.unfinished(level)) for level in range(4)] == [112, 17, 1, 0]
    assert len(TREE.entries) == 112


def test_full_tiles_hold_the_hashes_and_bundles_the_entries() -> None:
    assert FULL["tile/0/001"] == b"".join(LEAVES[256:512])
    assert FULL["tile/1/000"][32:64] == root_hash(LEAVES[256:512]) == root_of_tile(FULL["tile/0/001"])
    assert read_entry_bundle(FULL["tile/entries/272"])[-1] == str(273 * TILE_WIDTH - 1).encode()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 1200), st.data())
def test_roots_and_proofs_of_every_size_hold(size: int, data: st.DataObject) -> None:
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    root = TREE.root_at(size)
    assert root == root_hash(LEAVES[:size])
    verify_inclusion(LEAVES[index], index, size, inclusion_proof(index, size, TREE.hash_at), root)
    proof = consistency_proof(old, size, TREE.hash_at)
    verify_consistency(old, size, TREE.root_at(old), root, proof)


def test_what_was_let_go_is_asked_for_and_taken_again() -> None:
    tree, full = grown(1000, cached_tiles=1)
    with pytest.raises(MissingTileError) as caught:
        tree.hash_at(0, 3)
    assert (caught.value.level, caught.value.index) == (0, 0)
    root = root_hash(LEAVES[:256])
    assert not tree.offer(0, 0, full["tile/0/001"], root)
    assert not tree.offer(0, 0, full["tile/0/000"][:-32], root)
    assert tree.offer(0, 0, full["tile/0/000"], root)
    assert tree.hash_at(0, 3) == LEAVES[3]
    with pytest.raises(LookupError, match="a tree of 1000 leaves has no full subtree 8/3"):
        tree.hash_at(8, 3)
    assert nodes_of(full["tile/0/000"])[1][:32] == root_hash(LEAVES[:2])
