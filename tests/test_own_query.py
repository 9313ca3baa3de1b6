"""Queries of readers' own on both engines: what runs, that nothing writes, reads a file or runs on, and clearance."""

import asyncio
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import neo4j
import pytest
from builders import envelope_of
from cypher_world import SECRET, asked_world, hide_a_source
from graph_contents import run_raw
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import DriverError, Neo4jError
from platform_fixture import platform
from vectors_file import load_vectors

from a2ap.boundary import Boundary
from cypher import load_query
from graph.answers.own_query import OwnAnswer, is_anything_withheld, own_query_names, run_query
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.cypher_text.check import check_query
from graph.cypher_text.query import CheckedQuery
from graph.cypher_text.values import plain_value
from graph.database.endpoint import Endpoint
from graph.database.text_reader import rows_at_once
from graph.errors import CypherTextError
from graph.platform import Platform

__all__ = ["platform"]

pytestmark = pytest.mark.both_engines

HOSTILE = load_vectors("hostile_cypher.json")
SECONDS = 20.0
BRIEFLY = 0.1
ENDLESS = "UNWIND range(1, 99999) AS a UNWIND range(1, 99999) AS b WITH a + b AS c RETURN max(c) AS n"
MARK = "asked by test_own_query"
FINGERPRINT = """
CALL () { MATCH (n) RETURN count(n) AS nodes }
CALL () { MATCH ()-[r]->() RETURN count(r) AS edges }
CALL () { MATCH (s:Statement) WHERE s.verified RETURN count(s) AS verified }
CALL () { MATCH (s:Statement) RETURN count(s.claim_text) AS claims }
CALL () { MATCH (h:LogHead) RETURN max(h.size) AS size }
RETURN nodes, edges, verified, claims, size
"""


def values_for(name: str) -> dict[str, Any]:
    known: dict[str, Any] = {
        "statements": ["sha256:" + "0" * 64],
        "documents": ["sha256:" + "0" * 64],
        "first": 10,
        "question": "zoning",
        "readable": ["public"],
    }
    return {one: known.get(one, "x") for one in load_query(name).parameters}


@pytest.mark.parametrize(
    ("returned", "rows"),
    [
        ("count(s) AS n, avg(s.confidence) AS a", 20),
        ("s.claim_text AS claim, s.confidence AS confidence", 4),
        ("s AS statement", 4),
        (", ".join(f"s.claim_text AS c{number}" for number in range(9)), 1),
        ("collect(s.claim_text) AS claims", 1),
        ("{claim: s.claim_text} AS told", 1),
    ],
)
def test_of_rows_that_may_be_long_few_are_here_at_once(returned: str, rows: int) -> None:
    """Each may have texts of a megabyte, and is counted when all that were asked for with it are here."""
    query = check_query(f"MATCH (s:Statement) RETURN {returned}", {}, withheld=False)
    assert rows_at_once(query) == rows


async def run(platform: Platform, text: str, reader: Reader = ANONYMOUS, **parameters: Any) -> OwnAnswer:
    return await run_query(platform.store, reader, text, parameters, seconds=SECONDS)


async def test_every_query_that_we_give_out_runs(platform: Platform) -> None:
    await asked_world(platform)
    for name in own_query_names():
        own = await run(platform, load_query(name).text, **values_for(name))
        assert json.loads(json.dumps(own.table.rows)) == [list(row) for row in own.table.rows], name


async def test_what_a_query_gives_is_plain(platform: Platform) -> None:
    known = await asked_world(platform)
    hashes = {name: envelope_of(document).signed_hash for name, document in known.items()}
    own = await run(
        platform,
        "MATCH p = (a:Agent)-[g:GENERATED]->(s:Statement {signed_hash: $h}) "
        "RETURN s, g, p, {a: a.name, list: [1, 2.5, null]} AS m, s.generated_at AS t, s.generated_at.year AS y",
        h=hashes["zoning"],
    )
    ((node, edge, path, members, time, year),) = own.table.rows
    assert (node["label"], node["claim_text"]) == ("Statement", "The zoning map changes on Elm Street.")
    assert edge["type"] == "GENERATED"
    assert [one["label"] for one in path["nodes"]] == ["Agent", "Statement"]
    assert members == {"a": "Test agent 1", "list": [1, 2.5, None]}
    assert time.startswith(str(year)) and time.endswith("Z")
    assert not own.table.truncated and not own.withheld

    everything = "UNWIND range(1, 1000) AS a UNWIND range(1, 2) AS b RETURN a, b"
    assert len((await run(platform, everything)).table.rows) == 1000
    assert (await run(platform, everything)).table.truncated
    long = "x" * 9_000
    own = await run(platform, "UNWIND range(1, 1000) AS a RETURN a, $long AS long", long=long)
    assert own.table.truncated and 300 < len(own.table.rows) < 500, "four mebibytes of rows are given"

    for text in (
        "RETURN 1 / 0 AS n",
        "RETURN datetime('never') AS t",
        "MATCH (s:Statement) RETURN sum(s.log_index) / 0",
    ):
        with pytest.raises(CypherTextError, match="does not take it"):
            await run(platform, text)


async def test_nothing_leaves_that_the_reader_is_not_cleared_for(platform: Platform) -> None:
    """Every text that would read it is refused, and a node is given without it."""
    await asked_world(platform)
    assert not await is_anything_withheld(platform.store, ANONYMOUS)
    statement = await hide_a_source(platform)
    name = envelope_of(statement).signed_hash
    whole = (
        "MATCH p = (s:Statement {signed_hash: $h})-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document) RETURN s, r, c, d, p"
    )
    cleared = Reader(Boundary.PRIVATE)
    for reader, shown in ((ANONYMOUS, False), (cleared, True), (OPERATOR, True)):
        own = await run(platform, whole, reader, h=name)
        assert (SECRET in json.dumps(own.table.rows)) is shown
        assert ("Closed minutes" in json.dumps(own.table.rows)) is shown
        assert own.withheld is not shown
    for vector in HOSTILE:
        if vector["group"] == "leak":
            with pytest.raises(CypherTextError):
                await run(platform, vector["text"])
    collected = await run(platform, "MATCH (c:Chunk) RETURN collect(c) AS l, {c: head(collect(c))} AS m")
    assert SECRET not in json.dumps(collected.table.rows)
    for found in own_query_names():
        try:
            own = await run(platform, load_query(found).text, **values_for(found))
        except CypherTextError as error:
            assert "not cleared" in str(error)
            assert not found.startswith("questions/") or found.endswith("_named")
            continue
        assert SECRET not in json.dumps(own.table.rows)


async def test_a_query_of_a_reader_ends_after_its_time(platform: Platform, engine: Endpoint) -> None:
    query = CheckedQuery(marked(ENDLESS), {}, ("n",))
    for _ in range(3):
        with pytest.raises(CypherTextError, match=r"longer than 0\.1 seconds"):
            await platform.store.texts.read(query, seconds=BRIEFLY, plain=plain)
    task = asyncio.create_task(platform.store.texts.read(query, seconds=SECONDS, plain=plain))
    # While it runs it is seen: what is not seen below has ended.
    while not await under_way(platform, engine):
        assert not task.done()
        await asyncio.sleep(BRIEFLY)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await running(platform, engine) == []


async def test_the_second_line_holds_alone(platform: Platform, engine: Endpoint) -> None:
    """Without the check: what is hostile writes nothing, and nothing of it runs on."""
    await asked_world(platform)
    before = await run_raw(platform.store, FINGERPRINT)
    schema = await described(platform)
    for vector in HOSTILE:
        # An engine looks at its limits between rows: what one expression works out is held by the check alone.
        if vector["group"] in ("leak", "schema", "expression"):
            continue
        with suppress(CypherTextError):
            await platform.store.texts.read(CheckedQuery(marked(vector["text"]), {}, ()), seconds=BRIEFLY, plain=plain)
    assert await run_raw(platform.store, FINGERPRINT) == before
    assert await described(platform) == schema
    assert await running(platform, engine) == []


async def test_the_reading_user_writes_nothing_and_reads_no_file(
    platform: Platform, engine: Endpoint, tmp_path: Path
) -> None:
    """Without the check and without EXPLAIN: the session alone, in READ mode, as whoever reads there."""
    secret = tmp_path / "secret.csv"
    secret.write_text("the words of a file\n", encoding="utf-8")
    await asked_world(platform)
    before = await run_raw(platform.store, FINGERPRINT)
    schema = await described(platform)
    user, password = engine.reader_user or engine.user, engine.reader_password or engine.password
    async with AsyncGraphDatabase.driver(engine.uri, auth=(user, password)) as driver:
        for vector in HOSTILE:
            if vector["group"] in ("write", "transactions", "file") or _changes_schema(vector):
                await refused(driver, engine, vector["text"])
        for place in (f"file://{secret}", str(secret)):
            await refused(driver, engine, f"LOAD CSV FROM '{place}' AS line RETURN line")
    assert await run_raw(platform.store, FINGERPRINT) == before
    assert await described(platform) == schema


def _changes_schema(vector: dict[str, str]) -> bool:
    return vector["group"] == "schema" and vector["text"].split()[1] in ("INDEX", "CONSTRAINT", "FULLTEXT", "VECTOR")


async def refused(driver: AsyncDriver, engine: Endpoint, text: str) -> None:
    """Run a text as it is; it is refused, or does nothing."""
    async with driver.session(database=engine.database, default_access_mode=neo4j.READ_ACCESS) as session:
        try:
            await (await session.run(neo4j.Query(text, timeout=BRIEFLY))).consume()
        except (DriverError, Neo4jError):
            return
    assert not text.startswith("LOAD CSV"), text


async def described(platform: Platform) -> Any:
    """Return the names of the constraints and indexes."""
    endpoint = platform.store.endpoint
    if endpoint.kind == "neo4j":
        rows = await run_raw(platform.store, "SHOW INDEXES YIELD name RETURN name ORDER BY name")
        return [row["name"] for row in rows]
    async with httpx.AsyncClient(auth=(endpoint.user, endpoint.password), trust_env=False) as client:
        command = {"language": "sql", "command": "SELECT name FROM schema:types ORDER BY name"}
        return (await client.post(f"{endpoint.http_url}/api/v1/query/{endpoint.database}", json=command)).json()[
            "result"
        ]


async def running(platform: Platform, engine: Endpoint) -> list[str]:
    """Return the queries of these tests that are still under way, after a moment for the engine to notice."""
    for _ in range(100):
        if not (found := await under_way(platform, engine)):
            return []
        await asyncio.sleep(0.1)
    return found


async def under_way(platform: Platform, engine: Endpoint) -> list[str]:
    """Return the queries of these tests that the engine runs now."""
    if engine.kind == "neo4j":
        rows = await run_raw(platform.store, "SHOW TRANSACTIONS YIELD currentQuery RETURN currentQuery AS query")
        return [row["query"] for row in rows if MARK in row["query"]]
    async with httpx.AsyncClient(auth=(engine.user, engine.password), trust_env=False) as client:
        command = {"command": f"list queries database {engine.database}"}
        answer = await client.post(f"{engine.http_url}/api/v1/server", json=command)
    return [str(row) for row in answer.json()["result"] if MARK in str(row)]


def marked(text: str) -> str:
    """Return a query with a comment that names it as one of these tests."""
    return f"/* {MARK} */ {text}"


def plain(value: Any) -> Any:
    return plain_value(value, withheld=False)
