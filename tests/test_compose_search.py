"""Search by meaning as Compose runs it: the example's lines give a model, and vectors in Qdrant."""

from dataclasses import replace
from pathlib import Path

import pytest
from builders import signed_statement
from platform_fixture import platform
from qdrant_client import AsyncQdrantClient
from scenario import AUTHOR, accept, hash_of, settle
from test_compose import compose_settings, example_lines
from test_search_meaning import installed

from graph.clearance import ANONYMOUS
from graph.platform import Platform
from graph.search.qdrant_vectors import QdrantVectors
from graph.search.search import open_search
from graph.services.search_indexing import indexing_of

__all__ = ["platform"]


async def test_the_examples_lines_for_qdrant_find_by_meaning(
    platform: Platform, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = {name: value for name, value in example_lines().items() if name in ("QDRANT_URL", "A2AP_EMBEDDINGS_MODEL")}
    settings = compose_settings(tmp_path, **lines)
    installed(settings)
    asked: list[str] = []

    def at(url: str, key: str | None) -> QdrantVectors:
        asked.append(url)
        return QdrantVectors(AsyncQdrantClient(":memory:"))

    monkeypatch.setattr(QdrantVectors, "at", at)
    await settle(platform)
    weather, driving = (
        signed_statement(AUTHOR, claim=claim) for claim in ("The weather is lovely today.", "He drove to the stadium.")
    )
    await accept(platform, weather, driving)
    async with open_search(platform.store, replace(settings, data=platform.settings.data)) as search:
        platform.search = search
        indexing = indexing_of(platform)
        assert indexing is not None
        assert [state async for state in indexing.catch_up()]
        found = await search.find(ANONYMOUS, "sunny outside", first=10)
    assert asked == ["http://qdrant:6333"]
    assert found.by_meaning and found.hashes == [hash_of(weather)]
