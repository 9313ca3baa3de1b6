"""Tiles: their paths, what is in them, and that all of a tree is found in them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_builder import Tree
from vectors_file import load_vectors

from a2ap.errors import LogFormatError
from a2ap.log.merkle import HASH_BYTES, MAX_TREE_SIZE, inclusion_proof, tree_root, verify_inclusion
from a2ap.log.tiles import (
    TILE_WIDTH,
    Tile,
    entries_path,
    parse_tile_path,
    read_entry_bundle,
    read_tile,
    subtree_hash,
    tile_of_hash,
    tile_path,
    tiles_between,
    write_entry_bundle,
    write_tile,
)

EXAMPLES = load_vectors("c2sp_log.json")["tiles"]
TREE = Tree(70_000)

widths = st.integers(1, TILE_WIDTH)
indices = st.integers(0, MAX_TREE_SIZE)


def read_from_tiles(tree: Tree, level: int, index: int, size: int) -> bytes:
    """Return the hash of a subtree as a stranger finds it, out of a tile that was written and read."""
    tile = tile_of_hash(level, index, size)
    assert tile.level is not None
    first = tile.index * TILE_WIDTH
    hashes = [tree.hash_at(tile.level * 8, place) for place in range(first, first + tile.width)]
    return subtree_hash(read_tile(write_tile(hashes)), level, index)


@pytest.mark.parametrize("example", EXAMPLES["paths"], ids=lambda example: example["path"])
def test_a_tile_lies_where_the_specification_says(example: dict[str, object]) -> None:
    index = example["index"]
    assert isinstance(index, int)
    assert tile_path(0, index) == f"tile/0/{example['path']}"
    assert entries_path(index, 5) == f"tile/entries/{example['path']}.p/5"


@pytest.mark.parametrize("example", EXAMPLES["trees"], ids=lambda example: str(example["tree_size"]))
def test_a_tree_has_the_tiles_that_the_specification_counts(example: dict[str, object]) -> None:
    full: dict[str, int] = {}
    partial: dict[str, int] = {}
    assert isinstance(example["tree_size"], int)
    for tile in tiles_between(0, example["tree_size"]):
        if tile.width == TILE_WIDTH:
            full[str(tile.level)] = full.get(str(tile.level), 0) + 1
        else:
            partial[str(tile.level)] = tile.width
    assert (full, partial) == (example["full"], example["partial"])


@given(st.none() | st.integers(0, 63), indices, widths)
def test_the_path_of_a_tile_reads_back(level: int | None, index: int, width: int) -> None:
    assert parse_tile_path(Tile(level, index, width).path) == Tile(level, index, width)


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/1",
        "tile/0/01",
        "tile/0/0001",
        "tile/0/x000/001",
        "tile/0/x001",
        "tile/0/x001/x234",
        "tile/0/001/234",
        "tile/00/001",
        "tile/64/001",
        "tile/-1/001",
        "tile/0/001.p/0",
        "tile/0/001.p/01",
        "tile/0/001.p/256",
        "tile/0/001.p/",
        "tile/0/001.p/5/",
        "/tile/0/001",
        "tile/0/001\n",
        "tile/0/٠٠١",
        "tile/entries/",
        "tile/Entries/001",
        "tile/data/001",
        "tile/0/../../log.key",
        "tile/0/" + "x999/" * 6 + "999",
        "tile/0/" + "x001/" * 7 + "001",
        "",
    ],
)
def test_another_spelling_is_no_path_of_a_tile(path: str) -> None:
    with pytest.raises(LogFormatError, match="not the path of a tile"):
        parse_tile_path(path)


@given(st.integers(0, 70_000), st.integers(0, 70_000))
def test_a_growing_tree_adds_the_tiles_that_it_lacked(a: int, b: int) -> None:
    old, new = sorted((a, b))
    assert set(tiles_between(old, new)) == set(tiles_between(0, new)) - set(tiles_between(0, old))


@settings(max_examples=40)
@given(st.integers(1, 70_000), st.data())
def test_every_proof_can_be_made_from_tiles_alone(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    tiles = set(tiles_between(0, size))

    def hash_at(level: int, place: int) -> bytes:
        assert tile_of_hash(level, place, size) in tiles
        return read_from_tiles(TREE, level, place, size)

    root = tree_root(size, hash_at)
    assert root == TREE.root(size)
    verify_inclusion(TREE.leaf_hashes[index], index, size, inclusion_proof(index, size, hash_at), root)


def test_a_subtree_that_is_not_full_is_in_no_tile() -> None:
    with pytest.raises(ValueError, match="no full subtree 1 of level 8"):
        tile_of_hash(8, 1, 511)
    with pytest.raises(LogFormatError, match="3 hashes does not reach"):
        subtree_hash(TREE.leaf_hashes[:3], 2, 0)


def test_a_tile_is_its_hashes_and_nothing_else() -> None:
    assert read_tile(write_tile(TREE.leaf_hashes[:256])) == tuple(TREE.leaf_hashes[:256])
    assert len(write_tile(TREE.leaf_hashes[:256])) == 8192
    for data in (b"", b"\0" * (HASH_BYTES - 1), b"\0" * (HASH_BYTES * 257)):
        with pytest.raises(LogFormatError, match="not the hashes of a tile"):
            read_tile(data)
    for hashes in ([], TREE.leaf_hashes[:257], [b"short"]):
        with pytest.raises(ValueError):
            write_tile(hashes)


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=TILE_WIDTH))
def test_an_entry_bundle_reads_back(entries: list[bytes]) -> None:
    assert read_entry_bundle(write_entry_bundle(entries)) == tuple(entries)


def test_an_entry_may_be_as_long_as_its_length_can_say() -> None:
    longest = b"x" * 65_535
    assert read_entry_bundle(write_entry_bundle([longest, b""])) == (longest, b"")
    with pytest.raises(ValueError, match="at most 65535 bytes"):
        write_entry_bundle([longest + b"x"])


@given(st.lists(st.binary(max_size=20), min_size=1, max_size=5), st.data())
def test_a_bundle_cut_short_is_refused_or_has_fewer_entries(entries: list[bytes], data: st.DataObject) -> None:
    whole = write_entry_bundle(entries)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    try:
        assert len(read_entry_bundle(cut)) < len(entries)
    except LogFormatError:
        assert cut != whole


def test_a_bundle_has_one_to_256_entries() -> None:
    for data in (b"", b"\0\0" * 257):
        with pytest.raises(LogFormatError, match="entries, not 1 to 256"):
            read_entry_bundle(data)
    for entries in ([], [b""] * 257):
        with pytest.raises(ValueError, match="1 to 256 entries"):
            write_entry_bundle(entries)
