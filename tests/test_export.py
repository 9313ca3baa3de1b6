"""Exports: the Cypher script gives the same graph in an empty Neo4j; Turtle and JSON-LD say what was signed."""

import json
import os
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Any

import pytest
import pytest_asyncio
from builders import agent_id, envelope_of, signed_registration, signed_statement
from export_world import HOSTILE, SECRET, WORDS_ABOUT_SECRET, everything, secrets
from hypothesis import given
from hypothesis import strategies as st
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j_server import NoNeo4jError, neo4j_server
from platform_fixture import platform
from pyld import jsonld
from rdflib import Graph
from rdflib.compare import isomorphic
from scenario import VERIFIER_A, VERIFIER_B, accept

from a2ap.boundary import STRICTEST, Boundary
from a2ap.message import read_message
from a2ap.provenance import triples
from a2ap.rdf import to_graph
from a2ap.vocabulary import A2AP, PROV, RDF
from contexts import load_document
from cypher import schema_statements
from graph.database.endpoint import Endpoint
from graph.export import ExportFormat, export, graph_reader
from graph.export.cypher_literals import cypher_literal, cypher_name
from graph.export.documents import stored_messages
from graph.export.graph_reader import EDGE_LABELS, NODE_KEYS
from graph.export.record_triples import record_triples
from graph.log.entry import entry_from_row
from graph.log.rebuild import read_entries
from graph.platform import Platform

__all__ = ["platform"]

ALL = Boundary.SAFETY_SENSITIVE
_NODES = "MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties"
_RELATIONSHIPS = """
MATCH (a)-[r]->(b)
RETURN type(r) AS type, labels(a)[0] AS start_label, properties(a) AS start, labels(b)[0] AS end_label,
       properties(b) AS end, properties(r) AS properties
"""


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def neo4j(engine: Endpoint, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[AsyncDriver]:
    """Yield a driver of a Neo4j that a script may fill: the engine under test, or a second one beside it."""
    with ExitStack() as stack:
        if engine.kind == "neo4j":
            endpoint = engine
        else:
            try:
                endpoint = stack.enter_context(neo4j_server(os.environ, tmp_path_factory.mktemp("empty-neo4j")))
            except NoNeo4jError as error:
                if os.environ.get("CI"):
                    pytest.fail(str(error), pytrace=False)
                pytest.skip(str(error))
        auth = (endpoint.user, endpoint.password)
        async with AsyncGraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver:
            yield driver
            # The one at NEO4J_URI is the engine of later tests, and has to be empty when they find it.
            await driver.execute_query("MATCH (n) DETACH DELETE n")


async def exported(platform: Platform, format: ExportFormat, clearance: Boundary = ALL) -> str:
    pieces = [piece async for piece in export(platform.store, platform.content, format, clearance)]
    return b"".join(pieces).decode()


async def run_script(driver: AsyncDriver, script: str) -> None:
    """Run a script as its header says it may be read: a semicolon at a line's end ends a statement."""
    await driver.execute_query("MATCH (n) DETACH DELETE n")
    for statement in script.split(";\n"):
        if any(line and not line.startswith("//") for line in statement.split("\n")):
            await driver.execute_query(statement)


async def contents(driver: AsyncDriver, database: str | None = None) -> tuple[Counter[str], Counter[str]]:
    """Count nodes and relationships by everything that is known of them, the types of values included."""
    nodes = (await driver.execute_query(_NODES, database_=database)).records
    relationships = (await driver.execute_query(_RELATIONSHIPS, database_=database)).records
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


async def contents_of(platform: Platform) -> tuple[Counter[str], Counter[str]]:
    endpoint = platform.store.endpoint
    auth = (endpoint.user, endpoint.password)
    async with AsyncGraphDatabase.driver(endpoint.uri, auth=auth, notifications_min_severity="OFF") as driver:
        return await contents(driver, endpoint.database)


async def test_the_cypher_script_gives_the_same_graph_in_an_empty_neo4j(
    platform: Platform, neo4j: AsyncDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_reader, "STRETCH", 7)  # so that every way of paging has to turn pages
    await everything(platform)
    nodes, relationships = await contents_of(platform)
    script = await exported(platform, ExportFormat.CYPHER)
    await run_script(neo4j, script)
    found_nodes, found_relationships = await contents(neo4j)
    assert found_nodes == nodes
    assert found_relationships == relationships
    assert f"{nodes.total()} nodes and {relationships.total()} relationships" in script.splitlines()[-1]


async def test_the_scenario_of_these_tests_has_every_label_and_type(platform: Platform) -> None:
    await everything(platform)
    labels = {row["label"] for row in await platform.store.read("count_labels")}
    types = {row["type"] for row in await platform.store.read("count_relationships")}
    assert labels == set(NODE_KEYS)
    assert types == set(EDGE_LABELS)


async def test_the_cypher_script_of_a_full_graph_stops_at_a_graph_that_is_not_empty(
    platform: Platform, neo4j: AsyncDriver
) -> None:
    await accept(platform, signed_registration(1))
    script = await exported(platform, ExportFormat.CYPHER)
    await run_script(neo4j, script)
    statement = next(part for part in script.split(";\n") if part.startswith("UNWIND"))
    with pytest.raises(Exception, match="already exists"):
        await neo4j.execute_query(statement)


async def test_the_script_makes_the_schema_of_neo4j(platform: Platform, neo4j: AsyncDriver) -> None:
    await run_script(neo4j, await exported(platform, ExportFormat.CYPHER))
    found = {record["name"] for record in (await neo4j.execute_query("SHOW INDEXES YIELD name")).records}
    stated = {statement.text.split()[2] for statement in schema_statements("neo4j") if "INDEX" in statement.text}
    assert stated - {"INDEX"} <= found and "statement_hash" in found


async def test_what_is_written_while_an_export_runs_is_not_in_it(platform: Platform) -> None:
    await everything(platform)
    before = (await platform.store.read("log_size"))[0]["size"]
    pieces = export(platform.store, platform.content, ExportFormat.CYPHER, ALL)
    script = [await anext(pieces)]
    late = signed_statement(1, claim="Said while the export ran.")
    await accept(platform, late, signed_registration(51))
    script += [piece async for piece in pieces]
    text = b"".join(script).decode()
    assert f"when its log had {before} entries" in text
    assert envelope_of(late).signed_hash not in text
    assert agent_id(51) not in text


async def test_the_turtle_is_the_union_of_the_triples_of_every_message(
    platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rdflib.NORMALIZE_LITERALS", False)  # rdflib would write times and numbers in its own way
    await everything(platform)
    parsed = Graph().parse(data=await exported(platform, ExportFormat.TURTLE), format="turtle")
    rows = await platform.store.read("log_entries_from", start=0, first=10_000)
    messages = [read_message(await platform.content.get(row["document_hash"])) for row in rows]
    stored = [page async for page in stored_messages(platform.store, platform.content, len(rows), STRICTEST)]
    of_records = [triple for page in stored for triple in await record_triples(platform.store, page)]
    assert {value for _, name, value in of_records if name == RDF.TYPE} >= {
        A2AP.CONTEXT_PASSPORT,
        A2AP.CONTEXT_PACK,
        PROV.ACTIVITY,
    }
    expected = to_graph([*(triple for message in messages for triple in triples(message)), *of_records])
    assert len(messages) >= 30
    assert isomorphic(parsed, expected)


async def test_the_json_ld_holds_every_document_as_signed_with_its_status(platform: Platform) -> None:
    await everything(platform)
    graph = json.loads(await exported(platform, ExportFormat.JSON_LD))["@graph"]
    rows = await platform.store.read("log_entries_from", start=0, first=10_000)
    for document, row in zip(graph, rows, strict=True):
        given = {name: value for name, value in document.items() if name != "verificationStatus"}
        assert given == read_message(await platform.content.get(row["document_hash"])).envelope.document
    first = next(document for document in graph if document["@type"] == "a2ap:ProvenanceStatement")
    status = first["verificationStatus"]
    assert status["validators"] == [agent_id(VERIFIER_A), agent_id(VERIFIER_B)]
    assert len(status["challenges"]) == 1
    assert 0 < status["consensusScore"] <= 1


async def test_the_json_ld_is_one_document_that_a_processor_reads(platform: Platform) -> None:
    await everything(platform)
    document = json.loads(await exported(platform, ExportFormat.JSON_LD))
    expanded = jsonld.expand(document, {"documentLoader": load_document})
    texts = {
        claim["https://schema.org/text"][0]["@value"]
        for node in expanded
        for claim in node.get("https://williams-librarian.njit.edu/a2ap/v0.1#claim", [])
    }
    assert HOSTILE in texts


async def test_the_log_can_be_read_back_for_a_rebuild(platform: Platform) -> None:
    await everything(platform)
    lines = (await exported(platform, ExportFormat.LOG, Boundary.PUBLIC)).splitlines()
    rows = await platform.store.read("log_entries_from", start=0, first=10_000)
    assert list(read_entries(lines)) == [entry_from_row(row) for row in rows]


@pytest.mark.parametrize("format", list(ExportFormat))
async def test_text_above_the_clearance_is_in_no_export(platform: Platform, format: ExportFormat) -> None:
    await secrets(platform)
    for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
        text = await exported(platform, format, clearance)
        assert SECRET not in text
        assert WORDS_ABOUT_SECRET not in text
        assert "forty feet" in text or format is ExportFormat.LOG
    if format is not ExportFormat.LOG:
        for clearance in (Boundary.CONFIDENTIAL, ALL):
            text = await exported(platform, format, clearance)
            assert SECRET in text
            assert WORDS_ABOUT_SECRET in text


async def test_the_json_ld_keeps_what_can_be_given_without_the_secret(platform: Platform) -> None:
    clear, disclosed, quiet = await secrets(platform)
    graph = json.loads(await exported(platform, ExportFormat.JSON_LD, Boundary.PUBLIC))["@graph"]
    by_id = {document["@id"]: document for document in graph}
    stub = by_id[envelope_of(clear).id]
    assert stub["@type"] == "a2ap:WithheldDocument"
    assert stub["a2ap:withheld"] == "the source is confidential, and this reader is cleared for public"
    for kept in (disclosed, quiet):
        signed = {
            name: value
            for name, value in read_message(kept).envelope.document.items()
            if name not in ("disclosures", "verificationStatus")
        }
        shown = by_id[envelope_of(kept).id]
        assert {name: value for name, value in shown.items() if name != "verificationStatus"} == signed


async def test_the_script_says_why_a_text_is_withheld(platform: Platform, neo4j: AsyncDriver) -> None:
    await secrets(platform)
    await run_script(neo4j, await exported(platform, ExportFormat.CYPHER, Boundary.PUBLIC))
    query = "MATCH (:Document {boundary: 'confidential'})<-[:PART_OF]-(c) RETURN c.text AS text, c.withheld AS why"
    (record,) = (await neo4j.execute_query(query)).records
    assert record["text"] == ""
    assert record["why"] == "the source is confidential, and this reader is cleared for public"


@given(st.text() | st.integers(-(2**63) + 1, 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False))
def test_no_literal_breaks_its_line_or_ends_its_string(value: Any) -> None:
    literal = cypher_literal(value)
    assert len(literal.splitlines()) <= 1
    if isinstance(value, str):
        assert "'" not in literal[1:-1].replace("\\\\", "").replace("\\'", "")
    else:
        assert type(value)(literal) == value


@pytest.mark.parametrize(
    ("name", "written"),
    [("claim_text", "claim_text"), ("two words", "`two words`"), ("a`b", "`a``b`"), ("1st", "`1st`"), ("", "``")],
)
def test_a_name_stands_in_backticks_where_it_needs_them(name: str, written: str) -> None:
    assert cypher_name(name) == written


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"bytes"])
def test_a_value_without_a_literal_is_an_error(value: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="no Cypher literal"):
        cypher_literal(value)


async def test_graph_rows_have_every_node_and_relationship_and_count_them(platform: Platform) -> None:
    await everything(platform)
    lines = [json.loads(line) for line in (await exported(platform, ExportFormat.GRAPH_ROWS)).splitlines()]
    head, rows, end = lines[0], lines[1:-1], lines[-1]
    assert head["graph"]["logSize"] == end["heads"][0]["size"]
    assert Counter(row["node"] for row in rows if "node" in row) == end["counted"]["nodes"]
    assert Counter(row["relationship"] for row in rows if "relationship" in row) == end["counted"]["relationships"]
    nodes = {(row["node"], row["key"]) for row in rows if "node" in row}
    for row in rows:
        if "relationship" in row:
            start, end_label = EDGE_LABELS[row["relationship"]]
            assert any((label, row["start"]) in nodes for label in start.split("|"))
            assert any((label, row["end"]) in nodes for label in end_label.split("|"))
        assert list(row["properties"]) == sorted(row["properties"])
    times = [row["properties"]["generated_at"] for row in rows if row.get("node") == "Statement"]
    assert times and all(set(time) == {"datetime"} for time in times)
    assert await exported(platform, ExportFormat.GRAPH_ROWS) == await exported(platform, ExportFormat.GRAPH_ROWS)
