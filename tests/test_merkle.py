"""The Merkle tree of a log: published proofs, every proof of small trees, and no proof that says too much."""

import base64
import hashlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_builder import Tree
from vectors_file import load_vectors

from a2ap.errors import ProofError
from a2ap.log.merkle import (
    EMPTY_ROOT,
    MAX_TREE_SIZE,
    Frontier,
    consistency_proof,
    hash_children,
    hash_leaf,
    inclusion_proof,
    root_hash,
    tree_root,
    verify_consistency,
    verify_inclusion,
)

VECTORS = load_vectors("merkle.json")
LEAVES = 300
TREE = Tree(LEAVES)
ROOTS = [TREE.root(size) for size in range(LEAVES + 1)]
HUGE = [2**63, 2**64, 2**4096, 2**100_000, -1, -(2**100_000)]

sizes = st.integers(1, LEAVES)


def decode(text: str) -> bytes:
    return base64.b64decode(text)


@pytest.mark.parametrize("vector", VECTORS["inclusion"], ids=lambda vector: vector["name"])
def test_a_published_inclusion_proof_holds_or_not_as_it_says(vector: dict[str, Any]) -> None:
    arguments = (
        decode(vector["leafHash"]),
        vector["leafIdx"],
        vector["treeSize"],
        [decode(hash_) for hash_ in vector["proof"] or []],
        decode(vector["root"]),
    )
    if vector["wantErr"]:
        with pytest.raises(ProofError):
            verify_inclusion(*arguments)
    else:
        verify_inclusion(*arguments)


@pytest.mark.parametrize("vector", VECTORS["consistency"], ids=lambda vector: vector["name"])
def test_a_published_consistency_proof_holds_or_not_as_it_says(vector: dict[str, Any]) -> None:
    arguments = (
        vector["size1"],
        vector["size2"],
        decode(vector["root1"]),
        decode(vector["root2"]),
        [decode(hash_) for hash_ in vector["proof"] or []],
    )
    if vector["wantErr"]:
        with pytest.raises(ProofError):
            verify_consistency(*arguments)
    else:
        verify_consistency(*arguments)


def test_there_are_98_published_proofs_of_each_kind() -> None:
    assert [len(VECTORS[kind]) for kind in ("inclusion", "consistency")] == [98, 98]


def test_the_root_of_no_leaves_is_the_hash_of_nothing() -> None:
    assert EMPTY_ROOT == hashlib.sha256(b"").digest() == root_hash([]) == Frontier().root == TREE.root(0)


def test_a_leaf_is_never_a_node() -> None:
    left, right = hash_leaf(b"left"), hash_leaf(b"right")
    assert hash_leaf(left + right) != hash_children(left, right)
    assert hash_leaf(b"") == hashlib.sha256(b"\x00").digest() != EMPTY_ROOT
    assert hash_children(left, right) == hashlib.sha256(b"\x01" + left + right).digest()


def test_the_root_is_that_of_the_definition() -> None:
    for size, root in enumerate(ROOTS):
        assert root == root_hash(TREE.leaf_hashes[:size]) == root_by_definition(TREE.leaf_hashes[:size])


def test_the_right_edge_knows_the_root_after_every_leaf() -> None:
    edge = Frontier()
    for size, leaf_hash in enumerate(TREE.leaf_hashes):
        assert (edge.size, edge.root) == (size, ROOTS[size])
        again = Frontier.at(size, TREE.hash_at)
        assert (again.hashes, again.root) == (edge.hashes, edge.root)
        edge.append(leaf_hash)


def test_every_inclusion_proof_of_every_small_tree_holds() -> None:
    for size in range(1, 65):
        for index in range(size):
            verify_inclusion(TREE.leaf_hashes[index], index, size, TREE.inclusion(index, size), ROOTS[size])


def test_every_consistency_proof_of_every_small_tree_holds() -> None:
    for new in range(1, 65):
        for old in range(1, new + 1):
            verify_consistency(old, new, ROOTS[old], ROOTS[new], TREE.consistency(old, new))


def test_a_tree_of_one_leaf_needs_no_hashes() -> None:
    leaf_hash = hash_leaf(b"alone")
    verify_inclusion(leaf_hash, 0, 1, (), leaf_hash)
    verify_consistency(1, 1, leaf_hash, leaf_hash, ())
    with pytest.raises(ProofError, match="goes on above the root"):
        verify_inclusion(leaf_hash, 0, 1, [leaf_hash], hash_children(leaf_hash, leaf_hash))


def test_nothing_is_proved_of_an_empty_tree() -> None:
    assert TREE.consistency(0, 7) == ()
    with pytest.raises(ProofError, match="no leaf 0 in a tree of 0 leaves"):
        verify_inclusion(EMPTY_ROOT, 0, 0, (), EMPTY_ROOT)
    for new in (0, 7):
        with pytest.raises(ProofError, match=f"no proof from 0 to {new}"):
            verify_consistency(0, new, EMPTY_ROOT, ROOTS[new], ())


@given(sizes, st.data())
def test_an_inclusion_proof_holds_for_its_own_leaf_place_and_size_only(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    leaf_hash, proof, root = TREE.leaf_hashes[index], TREE.inclusion(index, size), ROOTS[size]
    verify_inclusion(leaf_hash, index, size, proof, root)
    other_place = data.draw(st.integers(0, 2 * size).filter(lambda other: other != index))
    with pytest.raises(ProofError):
        verify_inclusion(leaf_hash, other_place, size, proof, root)
    # The shape of the path does not always change with the size; the size is then bound by the signed root.
    other_size = data.draw(sizes.filter(lambda other: other != size))
    with pytest.raises(ProofError):
        verify_inclusion(leaf_hash, index, other_size, proof, ROOTS[other_size])
    for wrong in spoilt(data, (leaf_hash, root, *proof)):
        with pytest.raises(ProofError):
            verify_inclusion(wrong[0], index, size, wrong[2:], wrong[1])
    for other_proof in resized(data, proof):
        with pytest.raises(ProofError):
            verify_inclusion(leaf_hash, index, size, other_proof, root)


@given(sizes, sizes, st.data())
def test_a_consistency_proof_holds_for_its_own_sizes_and_roots_only(a: int, b: int, data: st.DataObject) -> None:
    old, new = sorted((a, b))
    proof = TREE.consistency(old, new)
    verify_consistency(old, new, ROOTS[old], ROOTS[new], proof)
    other_old = data.draw(st.integers(0, LEAVES).filter(lambda other: other != old))
    with pytest.raises(ProofError):
        verify_consistency(other_old, new, ROOTS[other_old], ROOTS[new], proof if proof or other_old != new else [b""])
    other_new = data.draw(st.integers(0, LEAVES).filter(lambda other: other != new))
    with pytest.raises(ProofError):
        verify_consistency(old, other_new, ROOTS[old], ROOTS[other_new], proof if proof or other_new != old else [b""])
    for wrong in spoilt(data, (ROOTS[old], ROOTS[new], *proof)):
        with pytest.raises(ProofError):
            verify_consistency(old, new, wrong[0], wrong[1], wrong[2:])
    for other_proof in resized(data, proof):
        with pytest.raises(ProofError):
            verify_consistency(old, new, ROOTS[old], ROOTS[new], other_proof)


@given(sizes, sizes)
def test_one_changed_leaf_breaks_consistency_with_every_tree_that_had_it(a: int, b: int) -> None:
    old, new = sorted((a, b))
    forged = Tree([*TREE.entries[: old - 1], b"forged", *TREE.entries[old:new]])
    with pytest.raises(ProofError):
        verify_consistency(old, new, ROOTS[old], forged.root(new), forged.consistency(old, new))


@pytest.mark.parametrize("size", HUGE, ids=["2^63", "2^64", "2^4096", "2^100000", "-1", "-2^100000"])
def test_a_size_beyond_all_logs_is_refused_at_once(size: int) -> None:
    leaf_hash = hash_leaf(b"")
    for index in (0, size - 1, size):
        with pytest.raises(ProofError):
            verify_inclusion(leaf_hash, index, size, [leaf_hash] * 64, leaf_hash)
    with pytest.raises(ProofError):
        verify_consistency(1, size, leaf_hash, leaf_hash, [leaf_hash] * 64)
    with pytest.raises(ProofError):
        verify_consistency(size, size + 1, leaf_hash, leaf_hash, [leaf_hash] * 64)
    with pytest.raises(ValueError):
        inclusion_proof(0, size, TREE.hash_at)
    with pytest.raises(ValueError):
        consistency_proof(1, size, TREE.hash_at)
    with pytest.raises(ValueError):
        tree_root(size, TREE.hash_at)


@settings(max_examples=25)
@given(st.integers(1, MAX_TREE_SIZE), st.data())
def test_a_proof_in_the_largest_of_trees_takes_63_hashes_at_most(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    old = data.draw(st.integers(1, size))
    asked: list[tuple[int, int]] = []

    def hash_at(level: int, place: int) -> bytes:
        asked.append((level, place))
        assert (place + 1) << level <= size
        return hash_leaf(b"%d %d" % (level, place))

    assert len(inclusion_proof(index, size, hash_at)) <= 63
    assert len(consistency_proof(old, size, hash_at)) <= 64
    assert len(asked) <= 4 * 63


def test_a_proof_of_what_is_not_there_is_not_made() -> None:
    for index, size in ((0, 0), (5, 5), (-1, 5)):
        with pytest.raises(ValueError):
            TREE.inclusion(index, size)
    for old, new in ((6, 5), (-1, 5)):
        with pytest.raises(ValueError):
            TREE.consistency(old, new)


def test_hashes_that_are_not_a_right_edge_are_refused() -> None:
    with pytest.raises(ValueError, match="1 hashes are not the right edge of 3 leaves"):
        Frontier(3, [EMPTY_ROOT])
    with pytest.raises(ValueError, match="32 bytes, not 3"):
        Frontier().append(b"abc")


def root_by_definition(leaf_hashes: list[bytes]) -> bytes:
    if not leaf_hashes:
        return EMPTY_ROOT
    if len(leaf_hashes) == 1:
        return leaf_hashes[0]
    left = 1
    while left * 2 < len(leaf_hashes):
        left *= 2
    return hash_children(root_by_definition(leaf_hashes[:left]), root_by_definition(leaf_hashes[left:]))


def spoilt(data: st.DataObject, hashes: tuple[bytes, ...]) -> list[list[bytes]]:
    """Return the hashes with one bit changed in one of them, one cut short, and one made longer."""
    place = data.draw(st.integers(0, len(hashes) - 1))
    bit = data.draw(st.integers(0, 255))
    changed = (int.from_bytes(hashes[place], "big") ^ (1 << bit)).to_bytes(32, "big")
    return [
        [*hashes[:place], other, *hashes[place + 1 :]] for other in (changed, hashes[place][:-1], hashes[place] + b"\0")
    ]


def resized(data: st.DataObject, proof: tuple[bytes, ...]) -> list[list[bytes]]:
    """Return the proof with a hash dropped, where there is one, and with one added."""
    place = data.draw(st.integers(0, len(proof)))
    added = data.draw(st.sampled_from([*proof, EMPTY_ROOT, *ROOTS[1:5]]))
    dropped = [[*proof[:place], *proof[place + 1 :]]] if place < len(proof) else []
    return [*dropped, [*proof[:place], added, *proof[place:]]]
