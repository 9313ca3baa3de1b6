"""The store on both engines."""

from __future__ import annotations

from graph.store import Store


async def test_the_database_of_a_test_is_empty(store: Store) -> None:
    assert store.kind in ("neo4j", "embedded")
