"""Looks at the whole graph, past the platform: counts, and every property of every node and relationship."""

from typing import Any

from neo4j import AsyncGraphDatabase

from graph.database.rows_from_driver import native_row
from graph.store import Store

Counts = dict[str, int]

_NODES = "MATCH (n) WHERE labels(n)[0] <> 'LogHead' RETURN labels(n)[0] AS label, properties(n) AS properties"
_RELATIONSHIPS = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, properties(r) AS properties, properties(a) AS start, properties(b) AS end
"""


async def count_everything(store: Store) -> tuple[Counts, Counts]:
    """Return how many nodes each label has, and how many relationships each type."""
    nodes = {row["label"]: row["number"] for row in await store.read("count_labels")}
    relationships = {row["type"]: row["number"] for row in await store.read("count_relationships")}
    return nodes, relationships


async def nodes_with_label(store: Store, label: str) -> list[dict[str, Any]]:
    """Return the properties of each node with this label."""
    rows = await run_raw(store, "MATCH (n) WHERE $label IN labels(n) RETURN properties(n) AS found", label=label)
    return [row["found"] for row in rows]


async def relationships_of_type(store: Store, name: str) -> list[dict[str, Any]]:
    """Return the properties of each relationship of this type."""
    rows = await run_raw(store, "MATCH ()-[r]->() WHERE type(r) = $name RETURN properties(r) AS found", name=name)
    return [row["found"] for row in rows]


async def run_raw(store: Store, query: str, **parameters: Any) -> list[dict[str, Any]]:
    """Run any Cypher, for what the platform has no query for."""
    endpoint = store.endpoint
    async with AsyncGraphDatabase.driver(
        endpoint.uri, auth=(endpoint.user, endpoint.password), notifications_min_severity="OFF"
    ) as driver:
        result = await driver.execute_query(query, parameters, database_=endpoint.database)
        return [native_row(record) for record in result.records]


async def whole_graph(store: Store) -> list[str]:
    """Return every node and relationship with all properties, as sorted text."""
    rows = [*await run_raw(store, _NODES), *await run_raw(store, _RELATIONSHIPS)]
    return sorted(repr(_ordered(row)) for row in rows)


def _ordered(value: object) -> object:
    return sorted((name, _ordered(item)) for name, item in value.items()) if isinstance(value, dict) else value
