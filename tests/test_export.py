"""Exports: what each format holds of a graph that has everything, and that none holds what is above the clearance."""

import json
from collections import Counter
from typing import Any

import pyoxigraph
import pytest
from builders import agent_id, envelope_of
from export_fixture import ALL, ExportedWorld, exported, text_of
from export_world import HOSTILE, SECRET, WORDS_ABOUT_SECRET
from hypothesis import given
from hypothesis import strategies as st
from pyld import jsonld
from scenario import VERIFIER_A, VERIFIER_B

from a2ap.boundary import STRICTEST, Boundary
from a2ap.messages.message import read_message
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.provenance import triples
from a2ap.rdf.triples import Triple
from a2ap.rdf.vocabulary import PROV, RDF
from contexts import load_document
from graph.dictionary.labels import EDGE_LABELS, NODE_KEYS
from graph.export import ExportFormat
from graph.export.cypher_literals import cypher_literal, cypher_name
from graph.export.documents import stored_messages
from graph.export.record_triples import record_triples
from graph.log.entry import entry_from_row
from graph.submission.rebuild import read_entries

__all__ = ["exported"]


async def test_the_graph_of_these_tests_has_every_label_and_type(exported: ExportedWorld) -> None:
    labels = {row["label"] for row in await exported.platform.store.read("count_labels")}
    types = {row["type"] for row in await exported.platform.store.read("count_relationships")}
    # The texts for search stand beside the graph.
    assert {label for label in labels if not label.startswith("Search")} == set(NODE_KEYS)
    assert types == set(EDGE_LABELS)


async def test_the_turtle_is_the_union_of_the_triples_of_every_message(exported: ExportedWorld) -> None:
    platform = exported.platform
    turtle = await text_of(platform, ExportFormat.TURTLE)
    found = {written(one) for one in pyoxigraph.parse(turtle, pyoxigraph.RdfFormat.TURTLE)}
    rows = await platform.store.read("log_entries_from", start=0, first=10_000)
    messages = [read_message(await platform.content.get(row["document_hash"])) for row in rows]
    stored = [page async for page in stored_messages(platform.store, platform.content, len(rows), STRICTEST)]
    of_records = [
        triple for page in stored for triple in await record_triples(platform.store, page, STRICTEST, len(rows))
    ]
    assert {value for _, name, value in of_records if name == RDF.TYPE} >= {
        A2AP.CONTEXT_PASSPORT,
        A2AP.CONTEXT_PACK,
        PROV.ACTIVITY,
    }
    assert len(messages) >= 30
    assert found == {*(triple for message in messages for triple in triples(message)), *of_records}


def written(triple: pyoxigraph.Triple) -> Triple:
    """Return a triple that a parser found as `a2ap.rdf.triples` has it; blank nodes keep the labels of the file."""
    subject, predicate, value = triple.subject, triple.predicate, triple.object
    literal = (value.value, value.datatype.value) if isinstance(value, pyoxigraph.Literal) else None
    return name_of(subject), predicate.value, literal or name_of(value)


def name_of(node: Any) -> str:
    return f"_:{node.value}" if isinstance(node, pyoxigraph.BlankNode) else str(node.value)


async def test_the_json_ld_holds_every_document_as_signed_with_its_status(exported: ExportedWorld) -> None:
    platform = exported.platform
    graph = json.loads(await text_of(platform, ExportFormat.JSON_LD))["@graph"]
    rows = await platform.store.read("log_entries_from", start=0, first=10_000)
    for document, row in zip(graph, rows, strict=True):
        given = {name: value for name, value in document.items() if name != "verificationStatus"}
        assert given == read_message(await platform.content.get(row["document_hash"])).envelope.document
    first = next(document for document in graph if document["@type"] == "a2ap:ProvenanceStatement")
    status = first["verificationStatus"]
    assert status["validators"] == [agent_id(VERIFIER_A), agent_id(VERIFIER_B)]
    assert len(status["challenges"]) == 1
    assert 0 < status["consensusScore"] <= 1


async def test_the_json_ld_is_one_document_that_a_processor_reads(exported: ExportedWorld) -> None:
    platform = exported.platform
    document = json.loads(await text_of(platform, ExportFormat.JSON_LD))
    expanded = jsonld.expand(document, {"documentLoader": load_document})
    texts = {
        claim["https://schema.org/text"][0]["@value"]
        for node in expanded
        for claim in node.get("https://williams-librarian.njit.edu/a2ap/v0.1#claim", [])
    }
    assert HOSTILE in texts


async def test_the_log_can_be_read_back_for_a_rebuild(exported: ExportedWorld) -> None:
    platform = exported.platform
    lines = (await text_of(platform, ExportFormat.LOG, Boundary.PUBLIC)).splitlines()
    rows = await platform.store.read("log_entries_from", start=0, first=10_000)
    assert list(read_entries(lines)) == [entry_from_row(row) for row in rows]


@pytest.mark.both_engines
@pytest.mark.parametrize("format", list(ExportFormat))
async def test_text_above_the_clearance_is_in_no_export(exported: ExportedWorld, format: ExportFormat) -> None:
    platform = exported.platform
    for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
        text = await text_of(platform, format, clearance)
        assert SECRET not in text
        assert WORDS_ABOUT_SECRET not in text
        assert "forty feet" in text or format is ExportFormat.LOG
    if format is not ExportFormat.LOG:
        for clearance in (Boundary.CONFIDENTIAL, ALL):
            text = await text_of(platform, format, clearance)
            assert SECRET in text
            assert WORDS_ABOUT_SECRET in text


async def test_the_json_ld_keeps_what_can_be_given_without_the_secret(exported: ExportedWorld) -> None:
    platform = exported.platform
    clear, disclosed, quiet = exported.about_memo
    graph = json.loads(await text_of(platform, ExportFormat.JSON_LD, Boundary.PUBLIC))["@graph"]
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


async def test_graph_rows_have_every_node_and_relationship_and_count_them(exported: ExportedWorld) -> None:
    platform = exported.platform
    lines = [json.loads(line) for line in (await text_of(platform, ExportFormat.GRAPH_ROWS)).splitlines()]
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
    assert await text_of(platform, ExportFormat.GRAPH_ROWS) == await text_of(platform, ExportFormat.GRAPH_ROWS)
