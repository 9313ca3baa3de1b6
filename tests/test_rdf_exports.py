"""The RDF and PROV exports of one graph: the same triples and records in every notation, for whoever may have them."""

import base64
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from builders import agent_id
from export_world import SECRET, WORDS_ABOUT_SECRET
from prov.model import ProvDocument
from prov_constraints import check_constraints
from prov_judge_tool import Judgement, ProvJudge, flat_provn, prov_judge
from pyoxigraph import CanonicalizationAlgorithm, Dataset, NamedNode, RdfFormat, parse
from rdf_world import RdfWorld, world
from rdflib import Dataset as RdfDataset
from rdflib import Graph
from scenario import VERIFIER_A
from shacl_shapes import broken_shapes

from a2ap.attestation.dsse import open_envelope, pre_authentication_encoding
from a2ap.attestation.in_toto import PAYLOAD_TYPE, STATEMENT_TYPE, SVR_TYPE
from a2ap.boundary import STRICTEST, Boundary
from a2ap.errors import SignatureError
from a2ap.rdf.nanopublication import RECORDS_GRAPH
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, NP, NP_NAMESPACE, PROV, RDF
from contexts import ONTOLOGY
from graph.errors import InputError
from graph.export import ExportFormat, Wanted, export
from graph.export import reader as reading
from graph.export.opening import open_reader
from graph.export.prov_documents import bundles

__all__ = ["prov_judge", "world"]

RDF_FORMATS = [ExportFormat.TURTLE, ExportFormat.TRIG, ExportFormat.NQUADS]
PROV_FORMATS = [ExportFormat.PROVN, ExportFormat.PROV_JSON, ExportFormat.PROV_JSONLD]
OURS = [*RDF_FORMATS, *PROV_FORMATS, ExportFormat.IN_TOTO]
_OF_THE_FRAME = {A2AP.PUBLISHED_MESSAGE, A2AP.SIGNED_HASH, A2AP.LOG_INDEX, A2AP.RECEIVED_AT}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def quads(world: RdfWorld) -> Dataset:
    """Return the quads of the N-Quads export."""
    return Dataset(parse(await world.exported(ExportFormat.NQUADS, STRICTEST), format=RdfFormat.N_QUADS))


@pytest.mark.parametrize("format", OURS)
async def test_the_same_graph_gives_the_same_bytes(world: RdfWorld, format: ExportFormat) -> None:
    assert await world.export_again(format, STRICTEST) == await world.exported(format, STRICTEST)


@pytest.mark.parametrize("format", OURS)
async def test_no_text_above_the_clearance_is_in_it(world: RdfWorld, format: ExportFormat) -> None:
    for clearance in (Boundary.PUBLIC, Boundary.INTERNAL):
        text = readable(format, await world.exported(format, clearance))
        assert SECRET not in text and WORDS_ABOUT_SECRET not in text
        assert "forty feet" in text
    for clearance in (Boundary.CONFIDENTIAL, STRICTEST):
        text = readable(format, await world.exported(format, clearance))
        assert SECRET in text and WORDS_ABOUT_SECRET in text


def readable(format: ExportFormat, exported: bytes) -> str:
    if format is not ExportFormat.IN_TOTO:
        return exported.decode()
    return "".join(base64.b64decode(json.loads(line)["payload"]).decode() for line in exported.splitlines())


async def test_trig_and_n_quads_hold_the_same_dataset(world: RdfWorld, quads: Dataset) -> None:
    trig = Dataset(parse(await world.exported(ExportFormat.TRIG, STRICTEST), format=RdfFormat.TRIG))
    assert set(trig) == set(quads)


async def test_the_graphs_together_hold_the_triples_of_the_turtle_and_the_frame(
    world: RdfWorld, quads: Dataset
) -> None:
    turtle = parse(await world.exported(ExportFormat.TURTLE, STRICTEST), format=RdfFormat.TURTLE)
    assert {quad.triple for quad in quads if not is_frame(quad)} == {quad.triple for quad in turtle}


def is_frame(quad: Any) -> bool:
    """Say whether a quad says what the parts of a nanopublication are to each other."""
    subject = getattr(quad.subject, "value", "")
    return subject.startswith("urn:a2ap:nanopublication:")


async def test_the_trig_is_read_by_rdflib_graph_by_graph(world: RdfWorld, quads: Dataset) -> None:
    read = RdfDataset()
    read.parse(data=(await world.exported(ExportFormat.TRIG, STRICTEST)).decode(), format="trig")
    names = {str(graph.identifier): len(graph) for graph in read.graphs() if len(graph)}
    held = Counter(quad.graph_name.value for quad in quads)
    assert names == dict(held)


async def test_every_message_is_one_nanopublication_with_its_three_parts(world: RdfWorld, quads: Dataset) -> None:
    (row,) = await world.platform.store.read("log_size")
    heads = [quad for quad in quads if quad.object == NamedNode(NP.NANOPUBLICATION)]
    assert len(heads) == row["size"]
    for head in heads:
        name = head.subject.value
        assert head.graph_name.value == f"{name}#head"
        for predicate, part in (
            (NP.HAS_ASSERTION, "assertion"),
            (NP.HAS_PROVENANCE, "provenance"),
            (NP.HAS_PUBLICATION_INFO, "pubinfo"),
        ):
            of_head = quads.quads_for_subject(head.subject)
            (found,) = (str(getattr(quad.object, "value", "")) for quad in of_head if quad.predicate.value == predicate)
            assert found == f"{name}#{part}"
        provenance = list(quads.quads_for_graph_name(NamedNode(f"{name}#provenance")))
        assert any(quad.subject.value == f"{name}#assertion" for quad in provenance if hasattr(quad.subject, "value"))
        info = list(quads.quads_for_graph_name(NamedNode(f"{name}#pubinfo")))
        assert {quad.predicate.value for quad in info if quad.subject == head.subject} >= _OF_THE_FRAME


async def test_the_assertion_of_a_statement_is_its_claim_and_the_evidence_its_provenance(quads: Dataset) -> None:
    graphs = {quad.graph_name.value for quad in quads if quad.object == NamedNode(A2AP.CLAIM_CLASS)}
    assert graphs and all(name.endswith("#assertion") for name in graphs)
    for predicate in (PROV.WAS_DERIVED_FROM, PROV.USED, A2AP.QUOTE_TEXT, PROV.GENERATED_AT_TIME):
        found = {quad.graph_name.value for quad in quads if quad.predicate.value == predicate} - {RECORDS_GRAPH}
        assert found and all(name.endswith("#provenance") for name in found), predicate
    signed = {quad.graph_name.value for quad in quads if quad.predicate.value == A2AP.SIGNATURE}
    assert signed and all(name.endswith("#pubinfo") for name in signed)


async def test_the_lines_of_n_quads_are_canonical_once_they_are_sorted(world: RdfWorld, quads: Dataset) -> None:
    lines = (await world.exported(ExportFormat.NQUADS, STRICTEST)).decode().split("\n")
    assert lines.pop() == ""
    assert len(lines) == len(set(lines)) == len(quads)
    assert any("\\u001F" in line for line in lines)
    # An engine of another make writes the same lines, in canonical form, but for the names of blank nodes.
    canonical = Dataset(quads)
    canonical.canonicalize(CanonicalizationAlgorithm.RDFC_1_0)
    named = sorted(line for line in lines if "_:" not in line)
    assert named == sorted(line for line in str(canonical).split("\n") if line and "_:c14n" not in line)


async def test_from_page_to_page_only_types_of_what_records_are_joined_to_come_again(
    world: RdfWorld, quads: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_MESSAGES", 1)
    text = await world.export_again(ExportFormat.NQUADS, STRICTEST)
    assert set(Dataset(parse(text, format=RdfFormat.N_QUADS))) == set(quads)
    counted = Counter(text.split(b"\n"))
    lines = b"\n".join(line for line, times in counted.items() if times > 1)
    again = Dataset(parse(lines, format=RdfFormat.N_QUADS))
    assert {quad.graph_name.value for quad in again} == {RECORDS_GRAPH}
    assert {quad.predicate.value for quad in again} == {RDF.TYPE}
    assert {getattr(quad.object, "value", "") for quad in again} <= {PROV.ENTITY, PROV.ACTIVITY, PROV.AGENT, PROV.PLAN}


async def test_prov_json_is_read_by_the_library_prov_to_the_last_record(world: RdfWorld) -> None:
    text = (await world.exported(ExportFormat.PROV_JSON, STRICTEST)).decode()
    document = ProvDocument.deserialize(content=text, format="json")
    expected = await all_bundles(world)
    assert {str(bundle.identifier and bundle.identifier.uri): len(bundle.records) for bundle in document.bundles} == {
        bundle.name: len(bundle.records) for bundle in expected
    }
    assert ProvDocument.deserialize(content=document.serialize(format="json"), format="json") == document
    assert len(document.flattened().unified().records) > 100


async def test_prov_jsonld_and_prov_n_have_every_record(world: RdfWorld) -> None:
    expected = await all_bundles(world)
    linked = json.loads(await world.exported(ExportFormat.PROV_JSONLD, STRICTEST))
    assert [len(bundle["@graph"]) for bundle in linked["@graph"]] == [len(bundle.records) for bundle in expected]
    notation = (await world.exported(ExportFormat.PROVN, STRICTEST)).decode().split("\n")
    assert sum(line.startswith("    ") for line in notation) == sum(len(bundle.records) for bundle in expected)


async def test_provtoolbox_reads_both_notations_to_the_last_record_and_finds_them_valid(
    world: RdfWorld, prov_judge: ProvJudge, tmp_path: Path
) -> None:
    expected = await all_bundles(world)
    written = {
        "whole.provn": await world.exported(ExportFormat.PROVN, STRICTEST),
        "whole.jsonld": await world.exported(ExportFormat.PROV_JSONLD, STRICTEST),
        "public.provn": await world.exported(ExportFormat.PROVN, Boundary.PUBLIC),
        "flat.provn": flat_provn(expected).encode(),
    }
    for kind in ("ContextPassport", "ContextPack", "ContextPacket", "PacketRecord"):
        assert f"'a2ap:{kind}'".encode() in written["whole.provn"]
    for name, content in written.items():
        (tmp_path / name).write_bytes(content)
    whole, linked, public, flat = prov_judge.judge(*(tmp_path / name for name in written))
    assert whole == linked == flat == Judgement("VALID", sum(len(bundle.records) for bundle in expected))
    assert public.verdict == "VALID" and 0 < public.records <= whole.records


async def test_everything_together_satisfies_the_constraints_of_prov(world: RdfWorld) -> None:
    check_constraints(record for bundle in await all_bundles(world) for record in bundle.records)


async def all_bundles(world: RdfWorld) -> list[Any]:
    platform = world.platform
    async with open_reader(platform.store, platform.content, Wanted(STRICTEST)) as reader:
        return [bundle async for page in reader.messages() for bundle in await bundles(reader, page)]


async def test_statements_and_verdicts_are_attested_under_the_nodes_key(world: RdfWorld) -> None:
    node, key = world.platform.node, world.platform.node.key.public_key
    lines = (await world.exported(ExportFormat.IN_TOTO, STRICTEST)).splitlines()
    statements = [json.loads(open_envelope(line, PAYLOAD_TYPE, key, node.key_id)) for line in lines]
    assert {one["_type"] for one in statements} == {STATEMENT_TYPE}
    kinds = Counter(one["predicateType"] for one in statements)
    rows = await world.platform.store.read("log_entries_from", start=0, first=10_000)
    assert kinds[A2AP.PROVENANCE_STATEMENT] == sum(row["type"] == "ProvenanceStatement" for row in rows)
    assert kinds[SVR_TYPE] >= 2 and kinds[A2AP.VERIFICATION_RESPONSE] >= 2
    results = [one["predicate"] for one in statements if one["predicateType"] == SVR_TYPE]
    (by_a,) = {tuple(one["properties"]) for one in results if one["verifier"]["id"] == agent_id(VERIFIER_A)}
    assert "a2ap:source-accuracy" in by_a
    named = {one["subject"][0]["digest"]["sha256"] for one in statements if one["predicateType"] != SVR_TYPE}
    assert {one["subject"][0]["digest"]["sha256"] for one in statements if one["predicateType"] == SVR_TYPE} <= named


async def test_a_verdict_that_does_not_stand_is_not_attested(world: RdfWorld) -> None:
    store = world.platform.store
    rows = await store.read("log_entries_from", start=0, first=10_000)
    verdicts = {row["signed_hash"]: row for row in rows if row["type"] == "VerificationResponse"}
    retracted = {row["target_hash"] for row in await store.read("retractions_of", hashes=list(verdicts))}
    superseded = {row["superseded"] for row in await store.read("superseding", hashes=list(verdicts))}
    known = await store.read("verifications_by_hash", hashes=list(verdicts))
    untrusted = {row["signed_hash"] for row in known if not row["key_trusted"]}
    assert retracted and superseded | untrusted
    lines = (await world.exported(ExportFormat.IN_TOTO, STRICTEST)).splitlines()
    attested = [json.loads(base64.b64decode(json.loads(line)["payload"])) for line in lines]
    places = {
        (one["predicate"]["documentHash"], one["predicate"]["log"], one["predicate"]["logIndex"])
        for one in attested
        if one["predicateType"] in (SVR_TYPE, A2AP.VERIFICATION_RESPONSE)
    }
    standing = [row for name, row in verdicts.items() if name not in retracted | superseded | untrusted]
    origin = rows[0]["agent"]
    assert places == {(row["document_hash"], origin, row["log_index"]) for row in standing}


async def test_attestations_need_the_nodes_key(world: RdfWorld) -> None:
    platform = world.platform
    with pytest.raises(InputError, match="signed by the node"):
        [piece async for piece in export(platform.store, platform.content, ExportFormat.IN_TOTO)]


async def test_an_envelope_that_was_changed_is_refused(world: RdfWorld) -> None:
    node, key = world.platform.node, world.platform.node.key.public_key
    line = (await world.exported(ExportFormat.IN_TOTO, STRICTEST)).splitlines()[0]
    envelope = json.loads(line)
    payload = base64.b64decode(envelope["payload"])
    for changed in (
        {**envelope, "payload": base64.b64encode(payload + b" ").decode()},
        {**envelope, "payloadType": "application/json"},
        {**envelope, "signatures": []},
        {**envelope, "signatures": [{**envelope["signatures"][0], "keyid": "urn:agent:other#1"}]},
        {**envelope, "payload": "not base64"},
    ):
        with pytest.raises(SignatureError):
            open_envelope(json.dumps(changed).encode(), PAYLOAD_TYPE, key, node.key_id)


def test_what_is_signed_is_what_the_specification_prints() -> None:
    # secure-systems-lab/dsse, protocol.md: PAE("http://example.com/HelloWorld", "hello world")
    said = pre_authentication_encoding("http://example.com/HelloWorld", b"hello world")
    assert said == b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"


async def test_every_shape_holds_of_the_whole_export(world: RdfWorld) -> None:
    read = RdfDataset(default_union=True)
    read.parse(data=(await world.exported(ExportFormat.NQUADS, STRICTEST)).decode(), format="nquads")
    union = Graph(bind_namespaces="none")
    for triple in read.triples((None, None, None)):
        union.add(triple)
    assert len(union) > 2000
    assert broken_shapes(union) == set()


async def test_no_term_is_of_a_namespace_that_does_not_describe_it(world: RdfWorld, quads: Dataset) -> None:
    used = {quad.predicate.value for quad in quads}
    used |= {quad.object.value for quad in quads if quad.predicate.value.endswith("#type")}
    ours = {iri for iri in used if iri.startswith((A2AP_NAMESPACE, NP_NAMESPACE))}
    described = re.findall(r"^a2ap:(\w+) a owl:", ONTOLOGY.read_text(encoding="utf-8"), re.MULTILINE)
    known = {iri for name, iri in vars(NP).items() if not name.startswith("_")}
    assert ours <= known | {A2AP_NAMESPACE + name for name in described}
