"""What a packet is about, supersedes, and who says what of it, is told to its readers alone."""

import json
from collections import Counter
from pathlib import Path

from audited import audited, export_node
from builders import agent_id, envelope_of, signed_statement
from packs import pack
from platform_fixture import platform
from rdflib import Graph, URIRef
from scenario import STRANGER, accept, hash_of, verified_world
from test_packet_records import assembled, hand_in, receipt

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.messages.generated_by import activity_iri
from a2ap.messages.record_registration import RecordFormat
from a2ap.pack.execution_log import LogContent
from a2ap.packet.building import seal_packet
from a2ap.packet.document import open_document
from a2ap.rdf.triples import document_iri
from a2ap.rdf.vocabulary import PROV, RDF
from graph.audit.folder_node import FolderNode
from graph.clearance import OPERATOR, Reader
from graph.export import ExportFormat, export
from graph.lineage.blast_radius import blast_radius
from graph.lineage.story import story_of
from graph.lineage.walk import Kind
from graph.platform import Platform
from graph.services.record_submission import register_received
from graph.store import Store

__all__ = ["platform"]


async def test_what_a_packet_is_about_is_for_its_readers_alone(platform: Platform) -> None:
    world = await verified_world(platform)
    first = await assembled(platform)
    second = await assembled(platform, supersedes=first.packet_id)
    nowhere = "sha256:" + "ab" * 32
    members = json.loads(second.data)
    members["items"][-1]["provenance"]["source"] = f"a2ap-document:{nowhere}"
    secret = open_document(seal_packet(members))
    await hand_in(platform, first.data, receipt(first, "opened"))
    await hand_in(platform, secret.data, receipt(secret, "opened"), boundary=Boundary.INTERNAL)
    open_one, hidden = sha256_digest(first.data), sha256_digest(secret.data)
    for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
        may = clearance is Boundary.INTERNAL
        pieces = [piece async for piece in export(platform.store, platform.content, ExportFormat.GRAPH_ROWS, clearance)]
        rows = [json.loads(line) for line in b"".join(pieces).splitlines()]
        edges = [row for row in rows if "relationship" in row]
        about = {row["start"].partition("#")[0] for row in edges if row["relationship"] == "ABOUT"}
        assert about == ({open_one, hidden} if may else {open_one})
        assert {row["end"] for row in edges if row["relationship"] == "ECHOES"} == about
        assert any(row["relationship"] == "SUPERSEDES" for row in edges) is may
        assert (nowhere.encode() in b"".join(pieces)) is may
        counted = Counter(row["relationship"] for row in edges)
        assert {kind: counted[kind] for kind in rows[-1]["counted"]["relationships"]} == rows[-1]["counted"][
            "relationships"
        ]
        found = await blast_radius(platform.store, Kind.STATEMENT, hash_of(world.statement), reader=Reader(clearance))
        assert (hidden in {item.name for item in found.items}) is may


async def test_a_packet_in_a_story_says_what_it_is_about_to_its_readers_alone(platform: Platform) -> None:
    world = await verified_world(platform)
    packet = await assembled(platform)
    await hand_in(platform, packet.data, boundary=Boundary.INTERNAL)
    run = pack(inputs=(LogContent("packet.json", packet.data.decode()),))
    await register_received(
        platform, OPERATOR, RecordFormat.PACK, [run.data], Boundary.PUBLIC, tuple(run.blobs.values())
    )
    claim = signed_statement(STRANGER, claim="The limit stands.", generated_by=[run.hash])
    await accept(platform, claim)
    (row,) = await platform.store.read("statements_by_hash", hashes=[hash_of(claim)])
    for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
        story = await story_of(
            platform.store, hash_of(claim), row["statement_id"], row["log_index"], reader=Reader(clearance)
        )
        (told,) = [event for event in story.events if event.name == sha256_digest(packet.data)]
        about = {cause.name for cause in told.causes}
        assert (hash_of(world.statement) in about) is (clearance is Boundary.INTERNAL)


async def test_only_who_may_have_a_packet_gets_its_triples(platform: Platform) -> None:
    world = await verified_world(platform)
    packet = await assembled(platform)
    used = receipt(packet, "used")
    await hand_in(platform, packet.data, used, boundary=Boundary.INTERNAL)
    plan, statement = document_iri(sha256_digest(packet.data)), envelope_of(world.statement).id
    event = activity_iri(sha256_digest(used))
    for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
        pieces = [piece async for piece in export(platform.store, platform.content, ExportFormat.TURTLE, clearance)]
        graph = Graph().parse(data=b"".join(pieces), format="turtle")
        may = clearance is Boundary.INTERNAL
        assert ((URIRef(plan), URIRef(RDF.TYPE), URIRef(PROV.PLAN)) in graph) is may
        assert ((URIRef(plan), URIRef(PROV.WAS_DERIVED_FROM), URIRef(statement)) in graph) is may
        assert ((URIRef(event), URIRef(PROV.USED), URIRef(plan)) in graph) is may
        assert ((URIRef(event), URIRef(PROV.WAS_ASSOCIATED_WITH), URIRef(agent_id(STRANGER))) in graph) is may


async def test_an_audit_for_the_public_finds_nothing_wrong_where_records_name_bytes_that_nobody_has(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await verified_world(platform)
    members = json.loads((await assembled(platform)).data)
    members["items"][-1]["provenance"]["source"] = "a2ap-document:sha256:" + "ab" * 32
    secret = open_document(seal_packet(members))
    await hand_in(platform, secret.data, receipt(secret, "opened"), boundary=Boundary.INTERNAL)
    run = pack()
    blobs = tuple(run.blobs.values())
    await register_received(platform, OPERATOR, RecordFormat.PACK, [run.data], Boundary.INTERNAL, blobs)
    folder = await export_node(platform, tmp_path / "node", Boundary.PUBLIC)
    report = await audited(FolderNode(folder), auditor_store)
    assert [finding.line for finding in report.findings] == []
