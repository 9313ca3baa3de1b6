"""That the pages of an export that goes on are those that it has not given."""

from collections.abc import AsyncIterator, Sequence
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import StoreUnavailableError
from graph.export import paging
from graph.export.paging import Pages
from graph.export.steps import NODE_STEPS, NodeStep
from graph.store import Store

KEYS = [f"{number * 655:04x}" for number in range(100)]
CHUNKS = next(step for step in NODE_STEPS if step.label == "Chunk")


class Chunks:
    """A store of chunks, which says of how many there are what it is told."""

    def __init__(self, number: int) -> None:
        self.number = number

    async def read(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
        assert name == "count_chunks"
        return [{"number": self.number}]

    async def stream(self, name: str, **parameters: Any) -> AsyncIterator[dict[str, Any]]:
        for key in KEYS:
            if parameters["start"] <= key < parameters["end"]:
                yield {"key": key}


class Texts:
    """A store whose rows have texts of these lengths, asked by place, by key, or by range."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.rows = [(place, f"{place * 0x0FFF:016x}", length) for place, length in enumerate(lengths)]
        self.given: list[int] = []

    async def read(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
        assert name == "count_chunks"
        return [{"number": len(self.rows)}]

    async def stream(self, name: str, **parameters: Any) -> AsyncIterator[dict[str, Any]]:
        start: Any = parameters.get("start")
        end: Any = parameters.get("end")
        by_place = isinstance(start, int)
        rows = [row for row in self.rows if start is None or start <= row[not by_place] < end]
        if start is None:
            rows = [row for row in self.rows if row[1] > parameters["after"]][: parameters["first"]]
        self.given.append(0)
        for _, key, length in rows:
            self.given[-1] += length
            yield {"key": key, "properties": {"text": ["x" * length], "number": 7}}


LENGTHS = st.lists(st.sampled_from([0, 1, 30, 90, 250]), max_size=60)
STEPS = [next(step for step in NODE_STEPS if step.label == label) for label in ("Key", "Chunk", "Statement")]


@given(LENGTHS, st.sampled_from(STEPS))
async def test_no_page_is_longer_than_is_held_at_once_but_for_one_row(lengths: list[int], step: NodeStep) -> None:
    store = Texts(lengths)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paging, "MOST_BYTES", 100)
        pages = [rows async for _, rows in Pages(cast(Store, store), len(lengths)).of(step, None)]
    assert [row["key"] for rows in pages for row in rows] == [key for _, key, _ in store.rows]
    held = [(len(rows), sum(len(row["properties"]["text"][0]) + len(row["key"]) for row in rows)) for rows in pages]
    assert all(number == 1 or length <= 100 for number, length in held)
    # What is let go is let go as soon as it is too long.
    assert all(given <= 100 + 250 for given in store.given)


async def test_a_page_that_breaks_off_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Chunks):
        async def stream(self, name: str, **parameters: Any) -> AsyncIterator[dict[str, Any]]:
            async for row in super().stream(name, **parameters):
                yield row
                raise StoreUnavailableError("the connection broke")

        async def read(self, name: str, **parameters: Any) -> list[dict[str, Any]]:
            if name == "count_chunks":
                return [{"number": self.number}]
            return [row async for row in super().stream(name, **parameters)]

    found = [row["key"] async for _, rows in Pages(cast(Store, Broken(100)), 1).of(CHUNKS, None) for row in rows]
    assert found == KEYS


@pytest.mark.parametrize("later", [7, 40, 100, 101, 170, 1000])
async def test_no_chunk_is_lost_where_their_number_changed_meanwhile(
    monkeypatch: pytest.MonkeyPatch, later: int
) -> None:
    monkeypatch.setattr(paging, "STRETCH", 10)
    for pages in range(1, 10):
        left = pages
        found: list[str] = []
        at: int | str | None = None
        async for next_at, rows in Pages(cast(Store, Chunks(100)), 1).of(CHUNKS, None):
            at = next_at
            found += [row["key"] for row in rows]
            left -= 1
            if not left:
                break
        async for _, rows in Pages(cast(Store, Chunks(later)), 1).of(CHUNKS, at):
            found += [row["key"] for row in rows]
        assert found == KEYS
