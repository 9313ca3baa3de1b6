"""Each type of message has triples and a path, each label a count and a table.

See docs/explanation/architecture.md.
"""

import re

import pytest
from test_project import ROOT

from a2ap.messages.message import MessageType
from a2ap.rdf.message_classes import MESSAGE_CLASSES
from a2ap.rdf.provenance import _WRITERS
from a2ap.rdf.vocabulary import A2AP_NAMESPACE
from cypher import load_query
from graph.dictionary.labels import EDGE_LABELS, NODE_KEYS
from graph.kinds.registry import TYPES
from graph.mirror.tables import tables_of_labels

WITHOUT_A_PATH = {
    MessageType.EPOCH: "the node makes it at the end of a period",
    MessageType.PEER_CHECKPOINT: "the node makes it when it has read a peer's log",
    MessageType.RECORD_REGISTRATION: "it comes in a header, with the bytes of the record",
}
# Nodes for which a researcher asks the graph, and an analyst has no table.
WITHOUT_A_TABLE = {
    *("AdmissionPolicy", "Peer", "PeerCheckpoint", "Equivocation", "Probe", "LogHead"),
    *("Passport", "Pack", "Step", "Packet", "Item", "PacketRecord"),
}


@pytest.mark.parametrize("message_type", list(MessageType))
def test_a_type_of_message_is_posted_to_a_path_and_written_as_rdf(message_type: MessageType) -> None:
    assert message_type in _WRITERS
    assert A2AP_NAMESPACE + message_type.value in MESSAGE_CLASSES
    assert (TYPES[message_type].path is None) == (message_type in WITHOUT_A_PATH)


@pytest.mark.parametrize("label", NODE_KEYS)
def test_a_label_is_counted_and_has_a_table_or_a_reason_for_none(label: str) -> None:
    assert f"MATCH (n:{label})\n" in load_query("count_all").text
    assert (label in tables_of_labels()) != (label in WITHOUT_A_TABLE)


@pytest.mark.parametrize("relationship", EDGE_LABELS)
def test_a_type_of_relationship_is_counted(relationship: str) -> None:
    assert f"[r:{relationship}]" in load_query("count_all").text


def test_the_architecture_page_lists_the_files_of_a_kind() -> None:
    page = (ROOT / "docs" / "explanation" / "architecture.md").read_text()
    listed = page.partition("## Another kind of message\n")[2].partition("\n## ")[0]
    for name in re.findall(r"`([a-z_0-9/.-]+\.(?:py|toml|sql|cypher|jsonld|ttl|md))`", listed):
        assert (ROOT / name).is_file(), name
