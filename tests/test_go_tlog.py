"""Go's own sumdb packages read our logs: checkpoint, tiles, entries and proofs, from the files of tlog-tiles."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from builders import signed_registration, signed_statement
from go_tool import NoGoError, build_tlogcheck
from platform_fixture import platform
from tree_builder import LOG_KEY, ORIGIN, Tree

from a2ap.log.entry import entry_bytes
from a2ap.log.line_values import encode_base64
from a2ap.log.merkle import hash_leaf
from a2ap.log.tiles import Tile, entries_path, tiles_between, write_entry_bundle, write_tile
from graph.log.entry import entry_from_row
from graph.platform import Platform

__all__ = ["platform"]

# A tree with full tiles on two levels and partial ones on three.
TREE = Tree(66_000)
SIZE = 66_000

Report = dict[str, Any]


@pytest.fixture(scope="module")
def tlogcheck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build_tlogcheck(tmp_path_factory.mktemp("go"))
    except NoGoError as error:
        if os.environ.get("CI"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("log")
    for tile in tiles_between(0, SIZE):
        assert tile.level is not None
        first = tile.index * 256
        places = range(first, first + tile.width)
        write(folder / tile.path, write_tile([TREE.hash_at(8 * tile.level, place) for place in places]))
        if tile.level == 0:
            write(folder / entries_path(tile.index, tile.width), write_entry_bundle([TREE.entries[n] for n in places]))
    (folder / "checkpoint").write_text(TREE.checkpoint(SIZE), encoding="utf-8")
    return folder


def write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def inclusion(index: int, size: int, /, **changes: Any) -> dict[str, Any]:
    return {
        "index": index,
        "size": size,
        "root": encode_base64(TREE.root(size)),
        "leaf": encode_base64(TREE.entries[index]),
        "hashes": [encode_base64(hash_) for hash_ in TREE.inclusion(index, size)],
        **changes,
    }


def consistency(old: int, new: int, /, **changes: Any) -> dict[str, Any]:
    return {
        "old": old,
        "new": new,
        "oldRoot": encode_base64(TREE.root(old)),
        "newRoot": encode_base64(TREE.root(new)),
        "hashes": [encode_base64(hash_) for hash_ in TREE.consistency(old, new)],
        **changes,
    }


def run(tlogcheck: Path, folder: Path, vkey: str, proofs: dict[str, Sequence[Any]]) -> subprocess.CompletedProcess[str]:
    given = json.dumps({"inclusion": [], "consistency": [], **proofs})
    return subprocess.run([tlogcheck, folder, vkey], input=given, capture_output=True, text=True)


def report(tlogcheck: Path, folder: Path, vkey: str, **proofs: Sequence[Any]) -> Report:
    done = run(tlogcheck, folder, vkey, proofs)
    assert done.returncode == 0, done.stderr
    answer: Report = json.loads(done.stdout)
    return answer


def test_go_opens_our_checkpoint_and_finds_every_entry(tlogcheck: Path, exported: Path) -> None:
    found = report(tlogcheck, exported, LOG_KEY.text)
    assert (found["origin"], found["size"], found["entries"]) == (ORIGIN, SIZE, SIZE)


def test_go_verifies_our_proofs_and_makes_the_same(tlogcheck: Path, exported: Path) -> None:
    sizes = (1, 2, 3, 7, 8, 255, 256, 257, 511, 65_535, 65_536, 65_537, SIZE)
    entries = [inclusion(index, size) for size in sizes for index in {0, size // 3, size // 2, size - 1}]
    trees = [consistency(old, new) for new in sizes for old in sizes if old <= new]
    found = report(tlogcheck, exported, LOG_KEY.text, inclusion=entries, consistency=trees)
    assert found["inclusion"] == [True] * len(entries)
    assert found["consistency"] == [True] * len(trees)
    assert found["same"] == len(entries) + len(trees)


def test_go_refuses_what_we_refuse(tlogcheck: Path, exported: Path) -> None:
    entries = [
        inclusion(300, SIZE, index=301),
        inclusion(300, SIZE, leaf=encode_base64(b"another")),
        inclusion(300, SIZE, hashes=inclusion(300, SIZE)["hashes"][:-1]),
        inclusion(300, SIZE, root=encode_base64(TREE.root(SIZE - 1))),
    ]
    trees = [
        consistency(300, SIZE, old=301),
        consistency(300, SIZE, oldRoot=encode_base64(TREE.root(301))),
        consistency(300, SIZE, hashes=consistency(300, SIZE)["hashes"][1:]),
    ]
    found = report(tlogcheck, exported, LOG_KEY.text, inclusion=entries, consistency=trees)
    assert found["inclusion"] == [False] * 4
    assert found["consistency"] == [False] * 3


def test_go_finds_a_changed_tile_a_changed_entry_and_another_key(tlogcheck: Path, exported: Path) -> None:
    for path, problem in (
        ("tile/0/100", "hash 25600 of tile level 0"),
        ("tile/1/000", "hash 0 of tile level 1"),
        ("tile/2/000.p/1", "inconsistent tile"),
        ("tile/entries/100", "hash 25600 of tile level 0"),
    ):
        kept = (exported / path).read_bytes()
        try:
            (exported / path).write_bytes(kept[:5] + bytes([kept[5] ^ 1]) + kept[6:])
            done = run(tlogcheck, exported, LOG_KEY.text, {})
        finally:
            (exported / path).write_bytes(kept)
        assert done.returncode == 1, path
        assert problem in done.stderr
    (exported / "checkpoint").write_text(TREE.checkpoint(SIZE - 1), encoding="utf-8")
    try:
        assert run(tlogcheck, exported, LOG_KEY.text, {}).returncode == 1
    finally:
        (exported / "checkpoint").write_text(TREE.checkpoint(SIZE), encoding="utf-8")
    stranger = LOG_KEY.text.replace(ORIGIN, "urn:agent:another")
    assert run(tlogcheck, exported, stranger, {}).returncode == 1


async def test_go_reads_the_log_of_a_node(tlogcheck: Path, platform: Platform, tmp_path: Path) -> None:
    documents = [signed_registration(1), *(signed_statement(1, claim=f"claim {number}") for number in range(260))]
    assert not [outcome for outcome in await platform.submit_many(documents) if isinstance(outcome, Exception)]
    log, folder = platform.log, tmp_path / "exported"
    size = log.checkpoint.tree_size
    assert size > 256
    for tile in tiles_between(0, size):
        await keep(folder, tile, log.tile, log.entry_bundle)
    (folder / "checkpoint").write_text(log.checkpoint_note, encoding="utf-8")
    rows = await platform.store.read("log_entries_from", start=0, first=size)
    leaves = [entry_bytes(entry_from_row(row)) for row in rows]
    receipts = [
        {
            "index": index,
            "size": size,
            "root": encode_base64(log.checkpoint.root_hash),
            "leaf": encode_base64(leaf),
            "hashes": [encode_base64(hash_) for hash_ in (await log.proof_of(index)).hashes],
        }
        for index, leaf in enumerate(leaves)
    ]
    growth = {
        "old": 1,
        "new": size,
        "oldRoot": encode_base64(hash_leaf(leaves[0])),
        "newRoot": encode_base64(log.checkpoint.root_hash),
        "hashes": [encode_base64(hash_) for hash_ in await log.consistency_proof(1)],
    }
    found = report(tlogcheck, folder, log.verifier_key.text, inclusion=receipts, consistency=[growth])
    assert (found["origin"], found["entries"]) == (platform.node.agent_id, size)
    assert found["inclusion"] == [True] * size
    assert (found["consistency"], found["same"]) == ([True], size + 1)


async def keep(
    folder: Path,
    tile: Tile,
    read_tile: Callable[[int, int, int], Awaitable[bytes]],
    read_bundle: Callable[[int, int], Awaitable[bytes]],
) -> None:
    assert tile.level is not None
    write(folder / tile.path, await read_tile(tile.level, tile.index, tile.width))
    if tile.level == 0:
        write(folder / entries_path(tile.index, tile.width), await read_bundle(tile.index, tile.width))
