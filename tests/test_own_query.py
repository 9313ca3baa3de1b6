"""Queries of readers' own on both engines: what runs, that nothing writes, reads a file or runs on, and clearance."""

import asyncio
import json
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import neo4j
import pytest
from builders import QUOTE, envelope_of, segment, signed_response, signed_statement
from cypher_world import SECRET, SECRET_ID, SECRET_SOURCE, asked_world, hide_a_source
from graph_contents import run_raw
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j.exceptions import DriverError, Neo4jError
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_B, accept
from vectors_file import load_vectors
from walk_routes import FOUND

from a2ap.boundary import STRICTEST, Boundary
from a2ap.messages.verification_response import Verdict
from cypher import load_query
from graph.answers import withheld_keys
from graph.answers.own_query import OwnAnswer, is_anything_withheld, own_query_names, run_query
from graph.clearance import ANONYMOUS, OPERATOR, Reader
from graph.cypher_text.check import check_query
from graph.cypher_text.query import CheckedQuery
from graph.cypher_text.values import plain_value
from graph.cypher_text.vocabulary import properties_of
from graph.database.endpoint import Endpoint
from graph.database.text_reader import rows_at_once
from graph.dictionary.labels import SOURCE_TEXTS
from graph.dictionary.term import Kind as PropertyKind
from graph.errors import CypherTextError
from graph.platform import Platform

__all__ = ["platform"]

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


@pytest.mark.both_engines
async def test_every_query_that_we_give_out_runs(platform: Platform) -> None:
    await asked_world(platform)
    for name in own_query_names():
        own = await run(platform, load_query(name).text, **values_for(name))
        assert json.loads(json.dumps(own.table.rows)) == [list(row) for row in own.table.rows], name


@pytest.mark.both_engines
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


async def test_a_column_that_the_engine_leaves_out_is_named(platform: Platform, engine: Endpoint) -> None:
    await asked_world(platform)
    property_of_a_list = "MATCH (c:Chunk) RETURN head(collect(c)).document_hash AS hash"
    if engine.kind == "neo4j":
        assert (await run_query(platform.store, OPERATOR, property_of_a_list, {}, seconds=SECONDS)).table.rows[0][0]
        return
    with pytest.raises(CypherTextError, match="gives no value for hash"):
        await run_query(platform.store, OPERATOR, property_of_a_list, {}, seconds=SECONDS)
    first = "MATCH (c:Chunk) WITH head(collect(c)) AS c RETURN c.document_hash AS hash"
    assert (await run_query(platform.store, OPERATOR, first, {}, seconds=SECONDS)).table.rows[0][0]


@pytest.mark.both_engines
async def test_nothing_leaves_that_the_reader_is_not_cleared_for(platform: Platform) -> None:
    """A node and a relationship are given without it, and a query that we give out is too, or is refused."""
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


async def test_a_closed_source_of_a_stranger_leaves_the_words_of_others_usable(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what is closed is null: in RETURN, WHERE and ORDER BY, and in what is counted."""
    known = await asked_world(platform)
    await hide_a_source(platform)
    chunks, sources = "MATCH (s:Statement)-[r:CITES]->(c:Chunk)", "MATCH (s:Source)"
    closed, title = (None,), ("City council meeting",)
    for text, rows in (
        ("MATCH (c:Chunk) RETURN c.text AS text ORDER BY text", [(QUOTE,), closed]),
        (f"{chunks} RETURN DISTINCT r.quote_text AS quote ORDER BY r.quote_text", [(QUOTE,), closed]),
        (f"{chunks} WHERE r.quote_text CONTAINS 'height' RETURN count(*) AS n", [(len(known),)]),
        (f"{chunks} RETURN count(r.quote_text) AS quotes, count(*) AS n", [(len(known), len(known) + 1)]),
        (f"{sources} RETURN s.title AS title ORDER BY title", [title, closed]),
        (f"{sources} WHERE s.title IS NULL RETURN s.source_id AS id", [(SECRET_ID,)]),
        ("MATCH (:Chunk)-[:PART_OF]->(d:Document) WHERE d.title STARTS WITH 'City' RETURN d.title AS t", [title]),
        ("MATCH (:Agent)-[r:CHALLENGED]->(s:Statement) RETURN r.reason AS reason", [("Nobody says so.",)]),
        ("MATCH (v:Verification) WHERE v.reason = 'Nobody says so.' RETURN v.verdict AS v", [("CHALLENGED",)]),
        ("MATCH (s:Statement) WHERE s.content_hash IS NOT NULL RETURN count(s) AS n", [(len(known),)]),
    ):
        own = await run(platform, text)
        assert list(own.table.rows) == rows, text
        assert own.withheld
        assert not own.query.key_sets.values() & own.query.parameters.keys()
    monkeypatch.setattr(withheld_keys, "MAX_KEYS", 0)
    with pytest.raises(CypherTextError, match="too many sources"):
        await run(platform, f"{sources} RETURN s.title AS title")
    assert (await run(platform, f"{sources} RETURN s.source_id AS id")).withheld


OTHER_POSITIONS = re.compile(r"EXISTS|COUNT|UNION|\*|endNode|\(p\)|WITH collect|: '")
"""What stands in those of the hostile texts that read words in a position of its own."""


def probes(labels: Iterable[str]) -> list[str]:
    """Return queries that read the properties with words of sources, one of each label in every position of a query."""
    found = []
    for label in labels:
        names, match = SOURCE_TEXTS[label], f"MATCH {FOUND.get(label, f'(n:{label})')}"
        name, *more = names
        others = ", ".join(["1 AS one", *(f"n.{other} AS {other}" for other in more)])
        found += [
            f"{match} RETURN n.{name} AS word, size(n.{name}) AS size, left(n.{name}, 1) AS first, "
            f"n.{name} < 'm' AS early, CASE WHEN n.{name} = 'aa' THEN 1 ELSE 2 END AS case_of, "
            f"[one IN [n] WHERE one.{name} CONTAINS 'zz' | one.{name}] AS list, "
            f"{{word: coalesce(n.{name}, 'none')}} AS map, {others} ORDER BY n.{name} DESC",
            f"{match} WITH n, n.{name} AS word ORDER BY word CALL (n) {{ RETURN n.{name} AS again }} "
            "RETURN collect(word) AS words, min(again) AS least, count(DISTINCT word) AS number",
            f"{match} WHERE n.{name} STARTS WITH 'zz' OR any(one IN [n] WHERE one.{name} ENDS WITH 'zz') "
            f"WITH n.{name} AS word, count(*) AS number WHERE word > 'm' RETURN sum(number) AS number",
        ]
        for lists in (other for other in names if properties_of(label)[other] is PropertyKind.TEXTS):
            found.append(f"{match} UNWIND n.{lists} AS one RETURN one, size(n.{lists}) AS size, n.{lists}[0] AS first")
    return found


async def hide_words_of_every_label(platform: Platform) -> None:
    """Have words of closed sources wherever words can stand; the documents without a class are closed by their name."""
    statement = await hide_a_source(platform)
    edition, other = SECRET_SOURCE + b" Second edition.", SECRET_SOURCE + b" Third edition."
    named = [segment(SECRET, source=edition, source_id=SECRET_ID), segment(SECRET, source=other, source_id="urn:other")]
    again = segment("Third edition", source=other, source_id=SECRET_ID)
    for number, evidence in enumerate((named[:1], named[1:], [again])):
        await accept(platform, signed_statement(AUTHOR, claim=f"There was meeting {number}.", evidence=evidence))
    await accept(platform, signed_response(statement, VERIFIER_B, verdict=Verdict.CHALLENGED, reason="Not at night."))
    for label, target in (
        *((label, "target_hash") for label in ("Retraction", "VerificationDecline", "GoldLabel", "GoldDispute")),
        ("ChallengeAnswer", "statement_hash"),
    ):
        text = f"CREATE (:{label} {{signed_hash: $hash, {target}: $statement}})"
        await run_raw(platform.store, text, hash=f"sha256:{label}", statement=envelope_of(statement).signed_hash)
    for label in ("GoldLabel", "GoldDispute"):
        text = "CREATE (:Retraction {signed_hash: $hash, target_hash: $target})"
        await run_raw(platform.store, text, hash=f"sha256:Retraction of {label}", target=f"sha256:{label}")


CLOSED = {
    "Source": "MATCH (n:Source {source_id: $name})",
    "Document": "MATCH (n:Document {doc_id: $name})",
    "Chunk": "MATCH (n:Chunk {doc_id: $name})",
    "CITES": "MATCH (:Statement)-[n:CITES {source_document: $name}]->(:Chunk)",
    "CHALLENGED": "MATCH (:Agent)-[n:CHALLENGED]->(s:Statement)-[:CITES {source_document: $name}]->(:Chunk)",
    "Statement": "MATCH (n:Statement)-[:CITES {source_document: $name}]->(:Chunk)",
    "Verification": "MATCH (n:Verification)-[:VALIDATES]->(:Statement)-[:CITES {source_document: $name}]->(:Chunk)",
    "Retraction": "MATCH (n:Retraction) WHERE n.signed_hash STARTS WITH 'sha256:Retraction'",
}
"""What is closed in the graph of `hide_words_of_every_label`; of another label the node that was planted."""


async def reword(platform: Platform, word: str) -> None:
    """Have a word in all that is closed."""
    for label, names in SOURCE_TEXTS.items():
        kinds = properties_of(label)
        values = {name: word if kinds[name] is PropertyKind.TEXT else [word, word] for name in names}
        sets = ", ".join(f"n.{name} = ${name}" for name in names)
        match = CLOSED.get(label, f"MATCH (n:{label} {{signed_hash: 'sha256:{label}'}})")
        rows = await run_raw(platform.store, f"{match} SET {sets} RETURN count(n) AS number", name=SECRET_ID, **values)
        assert rows[0]["number"], label


async def test_no_query_tells_closed_words_apart(platform: Platform, engine: Endpoint) -> None:
    """A word at the beginning of the alphabet and a longer one at its end answer alike, wherever a query reads them."""
    await asked_world(platform)
    await hide_words_of_every_label(platform)
    texts = [vector["text"] for vector in HOSTILE if vector["group"] == "leak"]
    leaks = [vector["text"] for vector in HOSTILE if vector["group"] == "leak"]
    # Neo4j plans each text for a while: there are as many here as differ by what an engine makes of them.
    labels = ("CITES", "Retraction") if engine.kind == "neo4j" else tuple(SOURCE_TEXTS)
    texts = [*probes(labels), *(text for text in leaks if OTHER_POSITIONS.search(text))]
    told, cleared = [], []
    for word in ("aa", "zz and zz"):
        await reword(platform, word)
        told.append({text: await answer(platform, text) for text in texts})
        cleared.append({text: await answer(platform, text, Reader(STRICTEST)) for text in probes(labels)})
    assert told[0] == told[1]
    assert "zz and zz" not in json.dumps(told[1])
    assert [text for text in probes(labels) if isinstance(told[0][text], str)] == [], "these are refused"
    # Each of them reads what is closed: it tells a reader who is cleared.
    assert [text for text in probes(labels) if cleared[0][text] == cleared[1][text]] == []


async def answer(platform: Platform, text: str, reader: Reader = ANONYMOUS) -> Any:
    """Return the rows of a query, or why it is refused."""
    try:
        return [list(row) for row in (await run(platform, text, reader)).table.rows]
    except CypherTextError as error:
        return str(error)


@pytest.mark.both_engines
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


@pytest.mark.both_engines
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
