"""What the folder of a SPARQL store says, and that a load which a removal overtook does not count."""

import io
import json
from dataclasses import asdict, replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from graph.sparql.folder import (
    FOLDER,
    ClosedSources,
    Held,
    begin_load,
    generation_of,
    held_size,
    is_unfinished,
    read_closed,
    read_held,
    remove_store,
    remove_stores,
    write_held,
)
from graph.sparql.worker import STALE, Load, load, read_load

HELD = Held(7, "urn:agent:a2ap-node:one", "00" * 32)
CLOSED = ClosedSources(frozenset({"sha256:one"}), frozenset({"urn:doc:test"}))
QUAD = b"<urn:a> <urn:b> <urn:c> <urn:a2ap:g> .\n"


@pytest.mark.parametrize("other", [replace(HELD, software="0.0.9"), replace(HELD, mapping=1)])
def test_a_store_that_another_version_made_is_none(tmp_path: Path, other: Held) -> None:
    assert write_held(tmp_path, HELD, CLOSED, generation_of(tmp_path)) and read_held(tmp_path) == HELD
    (tmp_path / "held.json").write_text(json.dumps(asdict(other)))
    assert held_size(tmp_path) == 0


def test_a_store_that_only_says_a_number_is_none(tmp_path: Path) -> None:
    (tmp_path / "size").write_text("7")
    (tmp_path / "held.json").write_text("7")
    assert held_size(tmp_path) == 0


def test_a_load_counts_and_one_that_a_removal_overtook_does_not(tmp_path: Path) -> None:
    begun = generation_of(tmp_path)
    assert load(tmp_path, Load(0, HELD, CLOSED, begun), io.BytesIO(QUAD)) == 0
    assert held_size(tmp_path) == 7
    remove_store(tmp_path)
    assert held_size(tmp_path) == 0 and generation_of(tmp_path) != begun
    assert load(tmp_path, Load(0, HELD, CLOSED, begun), io.BytesIO(QUAD)) == STALE
    assert held_size(tmp_path) == 0 and not (tmp_path / "store").exists()


def test_a_load_replaces_graphs_and_keeps_the_triples_that_another_graph_has(tmp_path: Path) -> None:
    begun, names = generation_of(tmp_path), ("urn:a2ap:g", "urn:a2ap:h")
    first = b"".join(
        b"<urn:a> <urn:b> <urn:%s> <%s> .\n" % (value, name.encode())
        for value, name in ((b"both", names[0]), (b"both", names[1]), (b"one", names[0]))
    )
    assert load(tmp_path, Load(0, HELD, CLOSED, begun), io.BytesIO(first)) == 0
    task = Load(7, replace(HELD, size=8), ClosedSources(frozenset(), frozenset()), begun, names[:1])
    assert load(tmp_path, task, io.BytesIO(b"<urn:a> <urn:b> <urn:new> <urn:a2ap:g> .\n")) == 0
    store = ox.Store(str(tmp_path / "store"))
    found = sorted((quad.object.value, str(quad.graph_name)) for quad in store)
    assert found == [
        ("urn:both", "<urn:a2ap:h>"),
        ("urn:both", "DEFAULT"),
        ("urn:new", "<urn:a2ap:g>"),
        ("urn:new", "DEFAULT"),
    ]
    assert held_size(tmp_path) == 8 and read_closed(tmp_path) == task.closed


def test_a_store_whose_load_was_interrupted_is_made_anew(tmp_path: Path) -> None:
    begun = generation_of(tmp_path)
    assert load(tmp_path, Load(0, HELD, CLOSED, begun), io.BytesIO(QUAD)) == 0
    assert not is_unfinished(tmp_path)
    begin_load(tmp_path)
    assert load(tmp_path, Load(7, replace(HELD, size=8), CLOSED, begun), io.BytesIO(QUAD)) == STALE
    assert held_size(tmp_path) == 0 and not (tmp_path / "store").exists()


def test_lists_of_another_size_are_none(tmp_path: Path) -> None:
    assert write_held(tmp_path, HELD, CLOSED, generation_of(tmp_path)) and read_closed(tmp_path) == CLOSED
    (tmp_path / "held.json").write_text(json.dumps(asdict(replace(HELD, size=8))))
    assert read_closed(tmp_path) is None


def test_a_load_is_read_as_it_was_written() -> None:
    task = Load(7, HELD, CLOSED, "some generation", ["urn:a2ap:g"])
    assert read_load(task.line()) == task


class Overtaken(io.BytesIO):
    """Quads during whose reading the store is removed."""

    folder: Path

    def read(self, size: int | None = -1, /) -> bytes:
        remove_store(self.folder)
        return super().read(size)


def test_a_removal_while_a_load_reads_leaves_nothing(tmp_path: Path) -> None:
    quads = Overtaken(QUAD)
    quads.folder = tmp_path
    assert load(tmp_path, Load(0, HELD, CLOSED, generation_of(tmp_path)), quads) == STALE
    assert held_size(tmp_path) == 0


def test_a_store_that_cannot_be_removed_keeps_no_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    folders = [tmp_path / FOLDER / name for name in ("confidential", "internal", "public")]
    for folder in folders:
        folder.mkdir(parents=True)
        assert write_held(folder, HELD, CLOSED, generation_of(folder))
    (folders[0] / "changing").unlink()
    (folders[0] / "changing").mkdir()
    remove_stores(tmp_path, 7)
    assert [held_size(folder) for folder in folders] == [7, 0, 0]
    assert "erased text is still in the store for confidential readers" in caplog.text


def test_what_an_entry_erased_is_in_no_store_that_holds_the_entry(tmp_path: Path) -> None:
    folder = tmp_path / FOLDER / "public"
    folder.mkdir(parents=True)
    assert write_held(folder, HELD, CLOSED, generation_of(folder))
    remove_stores(tmp_path, HELD.size - 1)
    assert held_size(folder) == HELD.size
    remove_stores(tmp_path, HELD.size)
    assert held_size(folder) == 0
