"""Whoever edits a node behind its back is found by an audit, which names the place: database, log, documents, sources.

One world is made on each engine. Every edit is made, found and taken back again.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import pytest_asyncio
from audited import audited, auditor_store, export_node
from builders import SOURCE, agent_id, agent_key, envelope_of, signed_statement
from export_world import everything
from graph_contents import run_raw
from scenario import AUTHOR, VERIFIER_A
from servers import server_on

from a2ap.boundary import STRICTEST
from a2ap.canonical import sha256_digest
from a2ap.log.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from a2ap.log.merkle import hash_leaf, root_hash
from a2ap.log.signed_note import read_note
from a2ap.log.tiles import read_entry_bundle, write_entry_bundle
from graph.audit.audit import Trust
from graph.audit.folder_export import export_graph
from graph.audit.folder_node import FolderNode, file_of
from graph.audit.report import AuditReport
from graph.platform import Platform
from graph.store import Store

__all__ = ["auditor_store"]

STATEMENT = envelope_of(signed_statement(AUTHOR)).signed_hash
FIRST = f"Statement {STATEMENT}"


@dataclass(slots=True)
class Prepared:
    """A platform with something of everything, and its export as it was."""

    platform: Platform
    store: Store
    folder: Path


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(engine: Any, _session_store: Any, tmp_path_factory: Any) -> AsyncIterator[Prepared]:
    store, _ = _session_store
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    data = tmp_path_factory.mktemp("node")
    async with server_on(store, data) as platform:
        await everything(platform)
        yield Prepared(platform, store, await export_node(platform, data / "export"))


# --- the database


@dataclass(frozen=True, slots=True)
class Edit:
    """A way to edit the database: the Cypher, the Cypher that takes it back, and what the audit names."""

    sentence: str
    do: str
    undo: str
    named: str

    def __str__(self) -> str:
        return self.sentence


def _changed(sentence: str, match: str, name: str, value: str, named: str) -> Edit:
    """An edit of one property, whose value before is kept beside it meanwhile in the test."""
    return Edit(sentence, f"{match} SET x.{name} = {value}", f"{match} SET x.{name} = $before", named)


_ONE = f"MATCH (x:Statement {{signed_hash: '{STATEMENT}'}})"
_VERDICT = (
    f"MATCH (a:Agent {{agent_id: '{agent_id(VERIFIER_A)}'}})<-[:PERFORMED_BY]-(x:Verification)"
    f"-[:VALIDATES]->(:Statement {{signed_hash: '{STATEMENT}'}})"
)
_AGENT = f"MATCH (x:Agent {{agent_id: '{agent_id(AUTHOR)}'}})"
_CITES = f"MATCH (:Statement {{signed_hash: '{STATEMENT}'}})-[x:CITES]->(:Chunk)"
_DOCUMENT = f"MATCH (x:Document {{document_key: '{sha256_digest(SOURCE)}'}})"
_KEY = f"MATCH (x:Key {{key_id: '{agent_id(AUTHOR)}#key-1'}})"

PROPERTIES = [
    _changed("the text of a claim", _ONE, "claim_text", "'It says something else.'", f"{FIRST} (log entry "),
    _changed("how sure an author was", _ONE, "confidence", "0.11", f"{FIRST} (log entry "),
    _changed("the score of a statement", _ONE, "consensus_score", "0.999", f"{FIRST} (log entry "),
    _changed("whether a statement is verified", _ONE, "verified", "true", f"{FIRST} (log entry "),
    _changed("when a statement was made, by a second", _ONE, "generated_at", "datetime('2025-10-14T10:30:01Z')", FIRST),
    _changed("the type of a time, and not its text", _ONE, "received_at", "'2025-10-14T10:30:00Z'", FIRST),
    _changed("the signature that is shown", _ONE, "signature", "'AAAA'", FIRST),
    _changed("what the machine found", _ONE, "machine_check", "'FAIL'", FIRST),
    _changed("where a statement stands in the log", _ONE, "log_index", "1", FIRST),
    _changed("a property that nobody writes", _ONE, "approved", "true", FIRST),
    _changed("a verdict", _VERDICT, "verdict", "'CHALLENGED'", "Verification sha256:"),
    _changed("the findings of a verdict", _VERDICT, "finding_statuses", "['FAIL', 'FAIL', 'FAIL']", "Verification sha"),
    _changed("whether a verdict was right", _VERDICT, "label", "'WRONG'", "Verification sha256:"),
    _changed("whether a verdict is the machine's", _VERDICT, "machine", "true", "Verification sha256:"),
    _changed("the reputation of an agent", _AGENT, "reputation", "0.97", f"Agent {agent_id(AUTHOR)}"),
    _changed("the name of an agent", _AGENT, "name", "'Somebody else'", f"Agent {agent_id(AUTHOR)}"),
    _changed("the quote that a statement cites", _CITES, "quote_text", "'Other words.'", f"CITES {STATEMENT}"),
    _changed("which bytes a chunk has", f"{_CITES[:-9]}(x:Chunk)".replace("[x:", "[:"), "byte_start", "1", "Chunk "),
    _changed("the text of a chunk", f"{_CITES[:-9]}(x:Chunk)".replace("[x:", "[:"), "text", "'Other.'", "Chunk "),
    _changed("the class of a source", _DOCUMENT, "boundary", "'confidential'", "Document sha256:"),
    _changed("the title of a source", _DOCUMENT, "title", "'Another meeting'", "Document sha256:"),
    _changed("the key of an agent", _KEY, "public_key", f"'{agent_key(99).public_key.did_key}'", "Key urn:agent:test-1"),
    _changed("the threshold of a policy", "MATCH (x:Policy {quorum: 2})", "threshold", "0.1", "Policy sha256:"),
    _changed("the hash of a document in an entry", "MATCH (x:LogEntry {log_index: 5})", "document_hash", "'sha256:0'", "LogEntry 5"),
    _changed("who is said to have signed an entry", "MATCH (x:LogEntry {log_index: 6})", "agent", "'urn:x'", "LogEntry 6"),
    _changed("when an entry was received", "MATCH (x:LogEntry {log_index: 7})", "received_at", "datetime('2020-01-01T00:00:00Z')", "LogEntry 7"),
    _changed("how many statements the head counts", "MATCH (x:LogHead)", "statements", "99", "LogHead"),
]  # fmt: skip


STRUCTURE = [
    Edit(
        "an invented statement",
        "CREATE (x:Statement {signed_hash: 'sha256:invented', claim_text: 'Invented.', log_index: 3, tampered: true})",
        "MATCH (x:Statement {tampered: true}) DETACH DELETE x",
        "Statement sha256:invented",
    ),
    Edit(
        "an invented statement at no place of the log",
        "CREATE (x:Statement {signed_hash: 'sha256:invented', claim_text: 'Invented.', tampered: true})",
        "MATCH (x:Statement {tampered: true}) DETACH DELETE x",
        "Statement: the database has",
    ),
    Edit(
        "an invented verdict edge",
        f"MATCH (a:Agent {{agent_id: '{agent_id(VERIFIER_A)}'}}), (s:Statement {{signed_hash: '{STATEMENT}'}}) "
        "CREATE (a)-[:VERIFIED {verification_id: 'urn:uuid:invented', verdict: 'VALIDATED', tampered: true}]->(s)",
        "MATCH (:Agent)-[r:VERIFIED {tampered: true}]->(:Statement) DELETE r",
        "VERIFIED: the database has",
    ),
    Edit(
        "an invented endorsement",
        f"MATCH (a:Agent {{agent_id: '{agent_id(VERIFIER_A)}'}}), (b:Agent {{agent_id: '{agent_id(AUTHOR)}'}}) "
        "CREATE (a)-[:ENDORSED {endorsement_id: 'urn:uuid:invented', log_index: 9, tampered: true}]->(b)",
        "MATCH (:Agent)-[r:ENDORSED {tampered: true}]->(:Agent) DELETE r",
        "ENDORSED urn:agent:test-2 → urn:agent:test-1",
    ),
    Edit(
        "a key put under an agent's name",
        f"{_AGENT} CREATE (k:Key {{key_id: '{agent_id(AUTHOR)}#key-2', public_key: 'did:key:z', log_index: 4, "
        "tampered: true}) CREATE (x)-[:HAS_KEY]->(k)",
        "MATCH (k:Key {tampered: true}) DETACH DELETE k",
        "Key urn:agent:test-1#key-2",
    ),
    Edit(
        "a node of a kind that the platform does not write",
        "CREATE (:Chunk {chunk_key: 'ffff', text: 'Invented.', tampered: true})",
        "MATCH (x:Chunk {tampered: true}) DETACH DELETE x",
        "Chunk ffff",
    ),
    Edit(
        "a statement said to support another",
        "MATCH (a:Statement), (b:Statement) WHERE a.log_index > b.log_index "
        "WITH a, b ORDER BY a.log_index DESC, b.log_index DESC LIMIT 1 CREATE (a)-[:SUPPORTS {tampered: true}]->(b)",
        "MATCH (:Statement)-[r:SUPPORTS {tampered: true}]->(:Statement) DELETE r",
        "SUPPORTS sha256:",
    ),
]  # fmt: skip


async def found_in(world: Prepared, auditor: Store, folder: Path) -> AuditReport:
    """Audit the export with the rows of the database as it is now."""
    await export_graph(world.platform.store, world.platform.content, folder, _size(folder), STRICTEST)
    return await audited(FolderNode(folder), auditor)


def _size(folder: Path) -> int:
    return read_checkpoint(read_note((folder / "checkpoint").read_text(encoding="utf-8")).text).tree_size


def check_named(report: AuditReport, named: str) -> None:
    lines = [finding.line for finding in report.findings]
    assert any(named in line for line in lines), lines


@pytest.mark.parametrize("edit", PROPERTIES, ids=str)
async def test_an_edited_property_is_named(
    world: Prepared, auditor_store: Store, tmp_path: Path, edit: Edit
) -> None:
    folder = copytree(world.folder, tmp_path / "node")
    name = edit.do.rsplit(" SET x.", 1)[1].split(" = ", 1)[0]
    match = edit.do.rsplit(" SET x.", 1)[0]
    (before, *_) = await run_raw(world.store, f"{match} RETURN x.{name} AS before")
    undo = edit.undo
    if isinstance(before["before"], datetime):
        before, undo = {"before": before["before"].isoformat()}, undo.replace("$before", "datetime($before)")
    await run_raw(world.store, edit.do)
    try:
        report = await found_in(world, auditor_store, folder)
    finally:
        await run_raw(world.store, undo, **before)
    check_named(report, edit.named)
    assert any(name in finding.what for finding in report.findings)


@pytest.mark.parametrize("edit", STRUCTURE, ids=str)
async def test_what_is_invented_in_the_database_is_named(
    world: Prepared, auditor_store: Store, tmp_path: Path, edit: Edit
) -> None:
    folder = copytree(world.folder, tmp_path / "node")
    await run_raw(world.store, edit.do)
    try:
        report = await found_in(world, auditor_store, folder)
    finally:
        await run_raw(world.store, edit.undo)
    check_named(report, edit.named)


async def test_the_world_is_as_it_was_after_all_these_edits(
    world: Prepared, auditor_store: Store, tmp_path: Path
) -> None:
    report = await found_in(world, auditor_store, copytree(world.folder, tmp_path / "node"))
    assert [finding.line for finding in report.findings] == []
