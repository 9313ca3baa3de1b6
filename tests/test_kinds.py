"""Each kind of message has all its parts; an error names the file to edit.

docs/explanation/architecture.md lists the parts.
"""

import re
from pathlib import Path
from typing import get_args

import pytest
from test_project import ROOT
from test_shapes import mapped

from a2ap.messages.message import Message, MessageType
from a2ap.rdf.provenance import WRITERS
from contexts import ONTOLOGY, SHAPES
from cypher import load_query, query_names, schema_statements
from graph.dictionary.indexes import found_by
from graph.dictionary.labels import EDGE_LABELS, NODE_KEYS
from graph.dictionary.reading import node_terms
from graph.export.steps import EDGE_STEPS, NODE_STEPS
from graph.kinds.registry import KINDS, TYPES, WRITE_ORDER
from graph.mirror.tables import tables_of_labels

WITHOUT_A_PATH = {
    MessageType.EPOCH: "the node makes it at the end of a period",
    MessageType.PEER_CHECKPOINT: "the node makes it when it has read a peer's log",
    MessageType.RECORD_REGISTRATION: "it comes in a header, with the bytes of the record",
}
WITH_BYTES = {MessageType.SOURCE_REGISTRATION, MessageType.RECORD_REGISTRATION}
# Nodes for which a researcher asks the graph, and an analyst has no table.
WITHOUT_A_TABLE = {
    *("AdmissionPolicy", "Peer", "PeerCheckpoint", "Equivocation", "Probe", "LogHead"),
    *("Passport", "Pack", "Step", "Packet", "Item", "PacketRecord"),
}
# They are found by queries of their own (`graph.export.gathering`, `graph.sparql.outdated`).
GATHERED_APART = {"Statement", "Verification", "VerificationRequest", "Retraction"}


def test_the_classes_of_messages_and_their_kinds_are_those_of_the_types() -> None:
    names = {one.__name__ for one in get_args(Message)}
    assert names == set(MessageType), "add the class to `Message` in a2ap/messages/message.py"
    assert set(KINDS) == set(get_args(Message)), "add the kind to `_ALL` in graph/kinds/registry.py"


@pytest.mark.parametrize("message_type", list(MessageType))
def test_a_type_of_message_has_a_path_and_a_mutation(message_type: MessageType) -> None:
    assert (message_type.path is None) == (message_type in WITHOUT_A_PATH), "add its path in a2ap/messages/envelope.py"
    missing = TYPES[message_type].mutation is None
    assert missing == (message_type in WITH_BYTES), "add `mutation` to its `Kind`"


@pytest.mark.parametrize("message_type", list(MessageType))
def test_a_type_of_message_is_written_as_rdf(message_type: MessageType) -> None:
    assert message_type in WRITERS, "add its function to `WRITERS` in a2ap/rdf/provenance.py"
    assert message_type.wire in mapped(), "add its section to contexts/a2ap-v0.1.jsonld"
    iri = f"{message_type.wire} a owl:Class"
    assert iri in ONTOLOGY.read_text(encoding="utf-8"), "add its class to contexts/a2ap-v0.1.ttl"
    words = rf"{message_type.wire}[ ,;]"
    assert re.search(words, SHAPES.read_text(encoding="utf-8")), "add it to :Entity or :Activity of contexts/shapes.ttl"


@pytest.mark.parametrize("message_type", list(MessageType))
def test_the_queries_of_a_kind_are_files_and_write_what_the_dictionary_describes(message_type: MessageType) -> None:
    for query in TYPES[message_type].writes:
        assert query in query_names(), f"cypher/{query}.cypher is missing"
        for name in re.findall(r"(?:CREATE|MERGE) \(\w*:(\w+)|-\[\w*:(\w+)", load_query(query).text):
            known = {*NODE_KEYS, *EDGE_LABELS}
            assert known & set(name), f"describe {''.join(name)} in graph/dictionary/terms/<kind>.toml"


def test_every_write_query_is_a_file() -> None:
    assert set(WRITE_ORDER) - set(query_names()) == set(), "cypher/<query>.cypher is missing"


@pytest.mark.parametrize("module", sorted((ROOT / "graph" / "kinds").glob("*.py")), ids=lambda file: file.stem)
def test_rows_are_added_for_queries_that_are_run(module: Path) -> None:
    for query in re.findall(r'rows\.add\(\s*"(\w+)"', module.read_text(encoding="utf-8")):
        assert query in WRITE_ORDER, f"add {query} to `writes` of its `Kind`"


@pytest.mark.parametrize("label", NODE_KEYS)
def test_a_label_has_a_schema_a_count_an_export_and_a_table_or_a_reason_for_none(label: str) -> None:
    types = {one.text for one in schema_statements("embedded")}
    assert f"CREATE VERTEX TYPE {label} IF NOT EXISTS" in types, "add its type in cypher/schema/<kind>.sql"
    unique = found_by().get((label, NODE_KEYS[label])) == "unique"
    assert unique, "add a constraint on its key in cypher/schema/<kind>.cypher"
    assert f"MATCH (n:{label})\n" in load_query("count_all").text, "count it in cypher/count_all/<kind>.cypher"
    (step,) = [one for one in NODE_STEPS if one.label == label]
    assert step.query in query_names(), f"cypher/{step.query}.cypher is missing"
    named = (label in tables_of_labels()) != (label in WITHOUT_A_TABLE)
    assert named, "add `table` to its section in graph/dictionary/terms/, or its label to WITHOUT_A_TABLE here"


@pytest.mark.parametrize("relationship", EDGE_LABELS)
def test_a_type_of_relationship_has_a_schema_a_count_and_an_export(relationship: str) -> None:
    types = {one.text for one in schema_statements("embedded")}
    assert f"CREATE EDGE TYPE {relationship} IF NOT EXISTS" in types, "add its type in cypher/schema/<kind>.sql"
    assert f"[r:{relationship}]" in load_query("count_all").text, "count it in cypher/count_all/<kind>.cypher"
    steps = [one for one in EDGE_STEPS if one.type == relationship]
    assert steps, "add `export` to its section in graph/dictionary/terms/"
    assert {one.query for one in steps} <= set(query_names()), f"the query of {relationship} in exports is missing"


@pytest.mark.parametrize("label", sorted(set(MessageType) & set(NODE_KEYS) - GATHERED_APART))
def test_a_message_on_a_statement_comes_with_it(label: str) -> None:
    term = node_terms()[label]
    is_on_statement = any(ends == (label, "Statement") for ends in EDGE_LABELS.values())
    comes = is_on_statement or bool(term.withheld)
    assert term.comes_with_statement == comes, "set `comes_with_statement` in its section in graph/dictionary/terms/"
    if term.withheld:
        found = f":{label}" in load_query("messages_on_statements").text
        assert found, "its words are withheld: find it in cypher/messages_on_statements/<kind>.cypher"


def test_the_architecture_page_lists_the_files_of_a_kind() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    listed = page.partition("## Another kind of message\n")[2].partition("\n## ")[0]
    for name in re.findall(r"`([a-z_0-9/.-]+\.(?:py|toml|sql|cypher|jsonld|ttl|md))`", listed):
        assert (ROOT / name).is_file(), name
