"""Where the tests find a Neo4j, and what they leave alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from neo4j import AsyncGraphDatabase
from neo4j_server import WHERE, NoNeo4jError, neo4j_server

from graph.database.endpoint import Endpoint
from graph.store import Store


def test_without_a_server_docker_and_maven_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/docker.sock")
    with pytest.raises(NoNeo4jError) as caught, neo4j_server({}, tmp_path):
        pass
    assert str(caught.value) == WHERE
    assert WHERE.startswith("the tests look for, in this order: NEO4J_URI; a Docker engine")


@pytest.mark.parametrize("engine", ["neo4j"], indirect=True)
async def test_a_database_at_neo4j_uri_is_taken_only_where_it_is_empty(
    store: Store, engine: Endpoint, tmp_path: Path
) -> None:
    env = {
        "NEO4J_URI": engine.uri,
        "NEO4J_USER": engine.user,
        "NEO4J_PASSWORD": engine.password,
        "NEO4J_DATABASE": engine.database,
    }
    with neo4j_server(env, tmp_path) as found:
        assert found == engine
    async with AsyncGraphDatabase.driver(engine.uri, auth=(engine.user, engine.password)) as driver:
        await driver.execute_query("CREATE (:Source {source_id: 'of somebody'})", database_=engine.database)
    with pytest.raises(RuntimeError, match="which holds 1 nodes"), neo4j_server(env, tmp_path):
        pass
