"""Runs as Context Packs: what an agent read, was told and found is on record before its verdict or claim names it."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

from builders import SOURCE, envelope_of, signed_statement
from graph_contents import run_raw
from verifier_world import TRUE, World, platform, world

from a2ap.boundary import Boundary
from a2ap.canonical import sha256_digest
from a2ap.client import Client, ProblemError, Receipt
from a2ap.messages.finding import Finding, FindingStatus
from a2ap.messages.message import read_message
from a2ap.messages.statement import ProvenanceStatement
from a2ap.messages.verification_response import Verdict
from a2ap.pack.check_pack import check_pack, held_as
from a2ap.pack.read_manifest import read_manifest
from a2ap.pack.replay import Fidelity, StepStatus, replay_pack
from a2ap.verifier.packs import JudgedRun
from graph.demo.author import pack_claims
from graph.demo.claims import EXTRACTIVE, DraftClaim
from graph.demo.source import open_source
from graph.verifier.criteria import Asked
from graph.verifier.material import Material, Source
from graph.verifier.run_pack import MAX_CONTENT, pack_run

__all__ = ["platform", "world"]

STATEMENT = signed_statement(1, claim=TRUE)
FINDING = Finding("logical-consistency", FindingStatus.PASS, "it says so", 0.9)


def judged(statement: bytes, at: str, *, asked: Sequence[Asked] = (), source: bytes = SOURCE) -> JudgedRun:
    message = read_message(statement)
    assert isinstance(message, ProvenanceStatement)
    material = Material(message, {sha256_digest(source): Source.of(source)})
    versions = {FINDING.criterion: "word-alignment 4"}
    return JudgedRun(at, "words", material, versions, asked, (FINDING,), Verdict.VALIDATED, 0.9, not asked)


async def test_a_verdict_names_the_pack_of_its_run(world: World) -> None:
    statement = await world.asked(TRUE)
    verifier = world.verifier()
    await asyncio.to_thread(verifier.answer)
    (answer,) = await world.answers(statement)
    record = verifier.desk.records.find(answer.envelope.id)
    assert record.pack is not None and answer.generated_by == (record.pack,)
    assert record.boundary == Boundary.PUBLIC

    pack = await verifier.packs.load(record.pack)
    held = {name: held_as(content) for name, content in pack.blobs.items()}
    assert check_pack(pack.hash, pack.data, held).findings == ()
    assert [step.tool for step in pack.manifest.steps][:2] == ["fetch_statement", "fetch_source"]
    assert len(pack.manifest.steps) == 2 + len(answer.findings)
    assert await world.platform.content.get(record.pack) == pack.data
    rows = await run_raw(
        world.platform.store,
        """
        MATCH (v:Verification)-[:GENERATED_BY]->(:Document)<-[:RECORD_OF]-(n:Pack)-[:USED]->(d:Document)
        MATCH (v)-[:VALIDATES]->(:Statement)-[:CITES]->(:Chunk)-[:PART_OF]->(d)
        RETURN n.record_hash AS pack, d.document_key AS source
        """,
    )
    assert rows == [{"pack": record.pack, "source": sha256_digest(SOURCE)}]
    by_agent = "MATCH (a:Agent)-[r:REGISTERED {format: 'context-pack'}]->(:Document) RETURN a.agent_id AS agent"
    assert [row["agent"] for row in await run_raw(world.platform.store, by_agent)] == [world.verifier().desk.agent_id]


class WithoutPacks(Client):
    """A platform that takes no packs."""

    def register_records(self, path: str, content: bytes, **more: Any) -> list[Receipt]:
        raise ProblemError(404, "Not Found", f"there is no {path}")


async def test_a_verdict_is_given_where_its_pack_is_refused(world: World) -> None:
    statement = await world.asked(TRUE)
    await asyncio.to_thread(world.verifier(client=WithoutPacks).answer)
    (answer,) = await world.answers(statement)
    assert len(answer.generated_by) == 1
    assert not await world.platform.content.has(answer.generated_by[0])


def test_the_same_run_is_the_same_pack_and_a_later_one_confirms_it() -> None:
    first = pack_run(judged(STATEMENT, "2026-01-01T00:00:00Z"))
    assert pack_run(judged(STATEMENT, "2026-01-01T00:00:00Z")) == first
    later = pack_run(judged(STATEMENT, "2026-01-02T00:00:00Z"))
    held = {name: held_as(content) for name, content in first.blobs.items()}
    assert replay_pack(first.manifest, held, [(later.hash, later.manifest)]).fidelity is Fidelity.EXACT
    assert envelope_of(STATEMENT).received in first.blobs.values()
    verdict = json.loads(first.blobs[first.manifest.outputs[0].content_ref])
    assert (verdict["verdict"], verdict["findings"][0]["criterion"]) == ("VALIDATED", FINDING.criterion)


def test_what_a_model_was_asked_is_in_the_pack_and_claims_nothing() -> None:
    asked = Asked("a-model", "Judge.", "Does it follow?", "Yes.")
    pack = pack_run(judged(STATEMENT, "2026-01-01T00:00:00Z", asked=[asked]))
    manifest = pack.manifest
    said = [(prompt.role, pack.blobs[prompt.content_ref].decode()) for prompt in manifest.prompts]
    assert said == [("user", "Does it follow?"), ("assistant", "Yes.")]
    assert (manifest.model.identifier, pack.blobs[manifest.system_prompt]) == ("a-model", b"Judge.")
    held = {name: held_as(content) for name, content in pack.blobs.items()}
    statuses = [step.status for step in replay_pack(manifest, held).steps]
    assert statuses == [StepStatus.UNCHECKED] * 2 + [StepStatus.NOT_CLAIMED] * 2


def test_a_long_source_is_named_and_not_carried() -> None:
    source = b"x" * (MAX_CONTENT + 1)
    manifest = pack_run(judged(STATEMENT, "2026-01-01T00:00:00Z", source=source)).manifest
    assert len(manifest.inputs) == 1
    assert (manifest.steps[1].output_ref, manifest.steps[1].parameters) == ("", {"documentHash": sha256_digest(source)})


def test_the_authors_run_is_the_captions_and_each_claim() -> None:
    source = open_source(None)
    claims = [DraftClaim(f"Claim {number}", None, 0.9, EXTRACTIVE, ()) for number in range(3)]
    pack = pack_claims(claims, source, "2026-01-01T00:00:00Z")
    assert pack_claims(claims, source, "2026-01-01T00:00:00Z").hash == pack.hash
    manifest = read_manifest(pack.data).manifest
    assert [given.content_ref for given in manifest.inputs] == [source.document_hash]
    assert [pack.blobs[output.content_ref].decode() for output in manifest.outputs] == [one.text for one in claims]
    assert [step.index for step in manifest.steps] == [0, 1, 2, 3]
