"""Exports that are loaded: into an empty database, and what changed into an older one."""

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from builders import agent_id, envelope_of, signed_registration, signed_statement
from conftest import HEAP
from export_fixture import ALL, Snapshot, changes_since, snapshot, text_of
from export_world import add_secrets, everything
from neo4j import AsyncDriver, AsyncGraphDatabase
from platform_fixture import platform
from quick_java import QUICK
from scenario import accept
from servers import server_on

from a2ap.boundary import Boundary
from cypher import schema_statements
from graph.content.content_store import open_content_store
from graph.database.endpoint import Endpoint
from graph.dictionary.labels import NODE_KEYS
from graph.engine.engine import embedded_engine
from graph.export import ExportFormat, export, paging
from graph.export.cypher_script import FOR_NEO4J_ALONE
from graph.platform import Platform
from graph.settings import Settings
from graph.store import Store, connect_store

__all__ = ["platform"]

# The texts for search stand beside the graph.
_NODES = """
MATCH (n) WHERE NOT labels(n)[0] STARTS WITH 'Search' RETURN labels(n) AS labels, properties(n) AS properties
"""
_RELATIONSHIPS = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, labels(a)[0] AS start_label, properties(a) AS start, labels(b)[0] AS end_label,
       properties(b) AS end, properties(r) AS properties
"""

Contents = tuple[Counter[str], Counter[str]]


@dataclass(slots=True)
class Database:
    """The database under test, which a script may fill."""

    driver: AsyncDriver
    endpoint: Endpoint

    async def run(self, script: str, *, empty: bool = True) -> None:
        """Run a script as its header says it may be read: a semicolon at a line's end ends a statement."""
        if empty:
            await self.query("MATCH (n) DETACH DELETE n")
        if self.endpoint.kind == "embedded":
            script = script.partition(FOR_NEO4J_ALONE)[0]
        for statement in script.split(";\n"):
            if any(line and not line.startswith("//") for line in statement.split("\n")):
                await self.query(statement)

    async def query(self, text: str) -> list[Any]:
        return (await self.driver.execute_query(text, database_=self.endpoint.database)).records

    async def contents(self) -> Contents:
        """Count nodes and relationships by everything that is known of them, the types of values included."""
        nodes, relationships = await self.query(_NODES), await self.query(_RELATIONSHIPS)
        return (
            Counter(repr((row["labels"], typed(row["properties"]))) for row in nodes),
            Counter(
                repr(
                    (
                        row["type"],
                        (row["start_label"], row["start"][NODE_KEYS[row["start_label"]]]),
                        (row["end_label"], row["end"][NODE_KEYS[row["end_label"]]]),
                        typed(row["properties"]),
                    )
                )
                for row in relationships
            ),
        )


def typed(value: Any) -> Any:
    if isinstance(value, dict):
        return sorted((name, typed(item)) for name, item in value.items())
    if isinstance(value, list):
        return [typed(item) for item in value]
    return type(value).__name__, value.iso_format() if hasattr(value, "iso_format") else value


@pytest.fixture
def database(_session_store: tuple[Store, AsyncDriver]) -> Database:
    store, driver = _session_store
    return Database(driver, store.endpoint)


@dataclass(slots=True)
class Made:
    """What a platform's graph was, and what was exported of it; the platform is gone."""

    earlier: list[Snapshot]
    later: Snapshot
    reached: list[Snapshot]
    contents: Contents
    script: str
    public_script: str
    first_script: str
    changes_script: str


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def made(
    _session_store: tuple[Store, AsyncDriver], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Made]:
    store, driver = _session_store
    database = Database(driver, store.endpoint)
    await database.query("MATCH (n) DETACH DELETE n")
    store.observe = None
    earlier: list[Snapshot] = []
    first_script, parts = "", 0
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paging, "STRETCH", 30)  # so that every way of paging has to turn pages
        async with server_on(store, tmp_path_factory.mktemp("changing")) as platform:

            async def look() -> None:
                nonlocal first_script, parts
                parts += 1
                if parts in (1, 4):
                    earlier.append(await snapshot(platform))
                    first_script = first_script or await text_of(platform, ExportFormat.CYPHER)

            await everything(platform, look)
            await add_secrets(platform)
            later = await snapshot(platform)
            yield Made(
                earlier,
                later,
                [await changes_since(platform, one, later.size) for one in earlier],
                await database.contents(),
                await text_of(platform, ExportFormat.CYPHER),
                await text_of(platform, ExportFormat.CYPHER, Boundary.PUBLIC),
                first_script,
                await text_of(platform, ExportFormat.CYPHER, since=earlier[0].size),
            )


async def test_what_changed_makes_of_every_earlier_graph_the_later_one(made: Made) -> None:
    assert len({one.size for one in made.earlier}) == 2
    for earlier, reached in zip(made.earlier, made.reached, strict=True):
        assert earlier.size < made.later.size
        assert reached.nodes == made.later.nodes
        assert reached.relationships == made.later.relationships


async def test_the_script_gives_the_same_graph_in_an_empty_database(made: Made, database: Database) -> None:
    await database.run(made.script)
    nodes, relationships = await database.contents()
    assert nodes == made.contents[0]
    assert relationships == made.contents[1]
    assert f"{nodes.total()} nodes and {relationships.total()} relationships" in made.script.splitlines()[-1]
    statement = next(part for part in made.script.split(";\n") if "CREATE (:LogEntry" in part)
    with pytest.raises(Exception, match=r"already exists|[Dd]uplicate"):
        await database.query(statement)


async def test_the_script_of_changes_gives_the_same_graph_over_an_earlier_one(made: Made, database: Database) -> None:
    await database.run(made.first_script)
    assert await database.contents() != made.contents
    await database.run(made.changes_script, empty=False)
    nodes, relationships = await database.contents()
    assert nodes == made.contents[0]
    assert relationships == made.contents[1]


async def test_a_script_fills_the_other_engine_which_gives_the_same_script_back(
    made: Made, database: Database, tmp_path: Path
) -> None:
    if database.endpoint.kind == "embedded":
        return  # where Neo4j is, both ways are gone
    async with (
        embedded_engine(tmp_path / "engine", heap=HEAP, java_options=QUICK) as endpoint,
        connect_store(endpoint) as store,
        AsyncGraphDatabase.driver(endpoint.uri, auth=(endpoint.user, endpoint.password)) as driver,
    ):
        other = Database(driver, endpoint)
        await other.run(made.script, empty=False)
        assert await other.contents() == made.contents
        content = open_content_store(Settings(data=tmp_path))
        script = b"".join([piece async for piece in export(store, content, ExportFormat.CYPHER, ALL)]).decode()
    await database.run(script)
    assert await database.contents() == made.contents
    assert script == made.script


async def test_the_script_says_why_a_text_is_withheld(made: Made, database: Database) -> None:
    await database.run(made.public_script)
    query = "MATCH (:Document {boundary: 'confidential'})<-[:PART_OF]-(c) RETURN c.text AS text, c.withheld AS why"
    (record,) = await database.query(query)
    assert record["text"] == ""
    assert record["why"] == "the source is confidential, and this reader is cleared for public"


def test_the_script_makes_constraints_and_indexes(made: Made) -> None:
    for statement in schema_statements("neo4j"):
        assert f"{statement.text};\n" in made.script or not statement.text.startswith("CREATE ")
    assert "FULLTEXT" not in made.script.partition(FOR_NEO4J_ALONE)[0]


async def test_what_is_written_while_an_export_runs_is_not_in_it(platform: Platform) -> None:
    await accept(platform, *(signed_registration(number) for number in range(1, 9)))
    before = (await platform.store.read("log_size"))[0]["size"]
    pieces = export(platform.store, platform.content, ExportFormat.CYPHER, ALL)
    script = [await anext(pieces)]
    late = signed_statement(1, claim="Said while the export ran.")
    await accept(platform, late, signed_registration(51))
    script += [piece async for piece in pieces]
    text = b"".join(script).decode()
    assert f"when its log had {before} entries" in text
    assert envelope_of(late).signed_hash not in text
    assert agent_id(51) not in text and agent_id(8) in text
