"""What the folder of a SPARQL store says, and that a load which a removal overtook does not count."""

import io
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from graph.sparql.folder import (
    FOLDER,
    Held,
    generation_of,
    held_size,
    read_held,
    remove_store,
    remove_stores,
    write_held,
)
from graph.sparql.worker import STALE, load

HELD = Held(7, "urn:agent:a2ap-node:one", "00" * 32)
QUAD = b"<urn:a> <urn:b> <urn:c> <urn:a2ap:g> .\n"


@pytest.mark.parametrize("other", [replace(HELD, software="0.0.9"), replace(HELD, mapping=1)])
def test_a_store_that_another_version_made_is_none(tmp_path: Path, other: Held) -> None:
    assert write_held(tmp_path, HELD, generation_of(tmp_path)) and read_held(tmp_path) == HELD
    (tmp_path / "held.json").write_text(json.dumps(asdict(other)))
    assert held_size(tmp_path) == 0


def test_a_store_that_only_says_a_number_is_none(tmp_path: Path) -> None:
    (tmp_path / "size").write_text("7")
    (tmp_path / "held.json").write_text("7")
    assert held_size(tmp_path) == 0


def test_a_load_counts_and_one_that_a_removal_overtook_does_not(tmp_path: Path) -> None:
    begun = generation_of(tmp_path)
    assert load(tmp_path, 0, HELD, begun, io.BytesIO(QUAD)) == 0
    assert held_size(tmp_path) == 7
    remove_store(tmp_path)
    assert held_size(tmp_path) == 0 and generation_of(tmp_path) != begun
    assert load(tmp_path, 0, HELD, begun, io.BytesIO(QUAD)) == STALE
    assert held_size(tmp_path) == 0 and not (tmp_path / "store").exists()


class Overtaken(io.BytesIO):
    """Quads during whose reading the store is removed."""

    folder: Path

    def read(self, size: int | None = -1, /) -> bytes:
        remove_store(self.folder)
        return super().read(size)


def test_a_removal_while_a_load_reads_leaves_nothing(tmp_path: Path) -> None:
    quads = Overtaken(QUAD)
    quads.folder = tmp_path
    assert load(tmp_path, 0, HELD, generation_of(tmp_path), quads) == STALE
    assert held_size(tmp_path) == 0


def test_a_store_that_cannot_be_removed_keeps_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folders = [tmp_path / FOLDER / name for name in ("confidential", "internal", "public")]
    for folder in folders:
        folder.mkdir(parents=True)
        assert write_held(folder, HELD, generation_of(folder))
    (folders[0] / "changing").unlink()
    (folders[0] / "changing").mkdir()
    remove_stores(tmp_path, 7)
    assert [held_size(folder) for folder in folders] == [7, 0, 0]
    assert "what was erased is still in the store for confidential readers" in caplog.text


def test_what_an_entry_erased_is_in_no_store_that_holds_the_entry(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER / "public"
    folder.mkdir(parents=True)
    assert write_held(folder, HELD, generation_of(folder))
    remove_stores(tmp_path, HELD.size - 1)
    assert held_size(folder) == HELD.size
    remove_stores(tmp_path, HELD.size)
    assert held_size(folder) == 0
