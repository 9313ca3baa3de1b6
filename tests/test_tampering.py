"""An audit finds each edit made outside the platform, and names the place: database, log, documents, sources.

One world is made on each engine. Every edit is made, found and taken back again.
"""

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
import pytest_asyncio
from audited import audited, export_node
from builders import (
    SOURCE,
    agent_id,
    agent_key,
    envelope_of,
    message_id,
    signed_policy,
    signed_statement,
    statement_message,
)
from export_world import everything
from graph_contents import run_raw
from scenario import AUTHOR, VERIFIER_A
from servers import server_on

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import canonicalize, sha256_digest
from a2ap.json_text import write_json
from a2ap.log.checkpoint import Checkpoint, read_checkpoint, sign_checkpoint
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.merkle import hash_leaf, root_hash
from a2ap.log.signed_note import read_note
from a2ap.log.tiles import read_entry_bundle, write_entry_bundle
from a2ap.signing.signature import sign_message
from graph.audit.audit import Trust
from graph.audit.folder_export import export_graph
from graph.audit.folder_node import FolderNode, file_of
from graph.audit.report import AuditReport
from graph.platform import Platform
from graph.store import Store

both_engines = pytest.mark.both_engines

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
    """A way to edit the database: the Cypher, the Cypher that takes it back, and the element that the audit names."""

    do: str
    undo: str
    named: str


@dataclass(frozen=True, slots=True)
class PropertyEdit:
    """An edit of one property of the element `x` that a pattern matches, and the element that the audit names."""

    match: str
    name: str
    value: str
    named: str


_ONE = f"MATCH (x:Statement {{signed_hash: '{STATEMENT}'}})"
_VERDICT = (
    f"MATCH (a:Agent {{agent_id: '{agent_id(VERIFIER_A)}'}})<-[:PERFORMED_BY]-(x:Verification)"
    f"-[:VALIDATES]->(:Statement {{signed_hash: '{STATEMENT}'}})"
)
_AGENT = f"MATCH (x:Agent {{agent_id: '{agent_id(AUTHOR)}'}})"
_CITES = f"MATCH (:Statement {{signed_hash: '{STATEMENT}'}})-[x:CITES]->(:Chunk)"
_CHUNK = f"MATCH (:Statement {{signed_hash: '{STATEMENT}'}})-[:CITES]->(x:Chunk)"
_DOCUMENT = f"MATCH (x:Document {{document_key: '{sha256_digest(SOURCE)}'}})"
_ENTRY = "MATCH (x:LogEntry {log_index: 5})"
_LAST = "MATCH (x:LogEntry {log_index: $last})"
_MISSING = "the log makes this {}, and the graph has none"
_KEY = f"MATCH (x:Key {{key_id: '{agent_id(AUTHOR)}#key-1'}})"

PROPERTIES = {
    "a statement": [
        PropertyEdit(_ONE, "claim_text", "'It says something else.'", f"{FIRST} (log entry "),
        PropertyEdit(_ONE, "confidence", "0.11", f"{FIRST} (log entry "),
        PropertyEdit(_ONE, "consensus_score", "0.999", f"{FIRST} (log entry "),
        PropertyEdit(_ONE, "verified", "true", f"{FIRST} (log entry "),
        PropertyEdit(_ONE, "generated_at", "datetime('2025-10-14T10:30:01Z')", FIRST),
        PropertyEdit(_ONE, "received_at", "'2025-10-14T10:30:00Z'", FIRST),
        PropertyEdit(_ONE, "signature", "'AAAA'", FIRST),
        PropertyEdit(_ONE, "machine_check", "'FAIL'", FIRST),
        PropertyEdit(_ONE, "log_index", "1", FIRST),
        PropertyEdit(_ONE, "approved", "true", FIRST),
    ],
    "a verdict and an agent": [
        PropertyEdit(_VERDICT, "verdict", "'CHALLENGED'", "Verification sha256:"),
        PropertyEdit(_VERDICT, "finding_statuses", "['FAIL', 'FAIL', 'FAIL']", "Verification sha"),
        PropertyEdit(_VERDICT, "label", "'WRONG'", "Verification sha256:"),
        PropertyEdit(_VERDICT, "machine", "true", "Verification sha256:"),
        PropertyEdit(_AGENT, "reputation", "0.97", f"Agent {agent_id(AUTHOR)}"),
        PropertyEdit(_AGENT, "name", "'Somebody else'", f"Agent {agent_id(AUTHOR)}"),
        PropertyEdit(_KEY, "public_key", f"'{agent_key(99).public_key.did_key}'", "Key urn:agent:"),
    ],
    "a source and its citation": [
        PropertyEdit(_CITES, "quote_text", "'Other words.'", f"CITES {STATEMENT}"),
        PropertyEdit(_CHUNK, "byte_start", "1", "Chunk "),
        PropertyEdit(_CHUNK, "text", "'Other.'", "Chunk "),
        PropertyEdit(_DOCUMENT, "boundary", "'confidential'", "Document sha256:"),
        PropertyEdit(_DOCUMENT, "title", "'Another meeting'", "Document sha256:"),
    ],
    "the policy and the log": [
        PropertyEdit("MATCH (x:Policy {quorum: 2})", "threshold", "0.1", "Policy sha256:"),
        PropertyEdit(_ENTRY, "document_hash", "'sha256:0'", "LogEntry 5"),
        PropertyEdit(_ENTRY, "agent", "'urn:x'", "LogEntry 5"),
        PropertyEdit(_ENTRY, "received_at", "datetime('2020-01-01T00:00:00Z')", "LogEntry 5"),
        PropertyEdit("MATCH (x:LogHead)", "statements", "99", "LogHead"),
    ],
}  # fmt: skip


STRUCTURE = {
    "an invented statement": Edit(
        "CREATE (x:Statement {signed_hash: 'sha256:invented', claim_text: 'Invented.', log_index: 3, tampered: true})",
        "MATCH (x:Statement {tampered: true}) DETACH DELETE x",
        "Statement sha256:invented",
    ),
    "an invented statement at no place of the log": Edit(
        "CREATE (x:Statement {signed_hash: 'sha256:placeless', claim_text: 'Invented.', tampered: true})",
        "MATCH (x:Statement {tampered: true}) DETACH DELETE x",
        "Statement sha256:placeless: is in the database, and no entry of the log makes it",
    ),
    "an invented statement that nobody signed and that has no hash": Edit(
        "CREATE (x:Statement {statement_id: 'urn:uuid:unsigned', claim_text: 'Invented.', tampered: true})",
        "MATCH (x:Statement {tampered: true}) DETACH DELETE x",
        "Statement urn:uuid:unsigned: is in the database",
    ),
    "a verdict beyond the end of the log": Edit(
        "CREATE (x:Verification {signed_hash: 'sha256:later', log_index: 100000, tampered: true})",
        "MATCH (x:Verification {tampered: true}) DETACH DELETE x",
        "Verification sha256:later: is in the database",
    ),
    "a node under a label that the platform does not know": Edit(
        "CREATE (x:Rumour {name: 'hearsay', tampered: true})",
        "MATCH (x:Rumour {tampered: true}) DETACH DELETE x",
        "Rumour hearsay: is in the database",
    ),
    "a relationship from a statement that is in no log": Edit(
        f"MATCH (s:Statement {{signed_hash: '{STATEMENT}'}}) "
        "CREATE (:Statement {signed_hash: 'sha256:supporting', tampered: true})-[:SUPPORTS]->(s)",
        "MATCH (x:Statement {tampered: true}) DETACH DELETE x",
        f"SUPPORTS sha256:supporting → {STATEMENT}",
    ),
    "an invented verdict edge": Edit(
        f"MATCH (a:Agent {{agent_id: '{agent_id(VERIFIER_A)}'}}), (s:Statement {{signed_hash: '{STATEMENT}'}}) "
        "CREATE (a)-[:VERIFIED {verification_id: 'urn:uuid:invented', verdict: 'VALIDATED', tampered: true}]->(s)",
        "MATCH (:Agent)-[r:VERIFIED {tampered: true}]->(:Statement) DELETE r",
        f"VERIFIED {agent_id(VERIFIER_A)} → {STATEMENT}",
    ),
    "an invented endorsement": Edit(
        f"MATCH (a:Agent {{agent_id: '{agent_id(VERIFIER_A)}'}}), (b:Agent {{agent_id: '{agent_id(AUTHOR)}'}}) "
        "CREATE (a)-[:ENDORSED {endorsement_id: 'urn:uuid:invented', log_index: 9, tampered: true}]->(b)",
        "MATCH (:Agent)-[r:ENDORSED {tampered: true}]->(:Agent) DELETE r",
        "ENDORSED urn:agent:test-2 → urn:agent:test-1",
    ),
    "a key put under an agent's name": Edit(
        f"{_AGENT} CREATE (k:Key {{key_id: '{agent_id(AUTHOR)}#key-2', public_key: 'did:key:z', log_index: 4, "
        "tampered: true}) CREATE (x)-[:HAS_KEY]->(k)",
        "MATCH (k:Key {tampered: true}) DETACH DELETE k",
        "Key urn:agent:test-1#key-2",
    ),
    "a node of a kind that the platform does not write": Edit(
        "CREATE (:Chunk {chunk_key: 'ffff', text: 'Invented.', tampered: true})",
        "MATCH (x:Chunk {tampered: true}) DETACH DELETE x",
        "Chunk ffff",
    ),
    "a statement said to support another": Edit(
        "MATCH (a:Statement), (b:Statement) WHERE a.log_index > b.log_index "
        "WITH a, b ORDER BY a.log_index DESC, b.log_index DESC LIMIT 1 CREATE (a)-[:SUPPORTS {tampered: true}]->(b)",
        "MATCH (:Statement)-[r:SUPPORTS {tampered: true}]->(:Statement) DELETE r",
        "SUPPORTS sha256:",
    ),
}  # fmt: skip


_UNSIGNED = STRUCTURE["an invented statement that nobody signed and that has no hash"]


async def found_in(world: Prepared, auditor: Store, folder: Path) -> AuditReport:
    """Audit the export with the rows of the database as it is now."""
    await export_graph(world.platform.store, world.platform.content, folder, _size(folder), STRICTEST)
    return await audited(FolderNode(folder), auditor)


def _size(folder: Path) -> int:
    return read_checkpoint(read_note((folder / "checkpoint").read_text(encoding="utf-8")).text).tree_size


def check_named(report: AuditReport, *named: str) -> None:
    """Check that one finding has all of this: which node or file, and which property of it."""
    lines = [finding.line for finding in report.findings]
    assert any(all(one in line for one in named) for line in lines), lines


@pytest.mark.parametrize("group", [pytest.param("a statement", marks=both_engines), *list(PROPERTIES)[1:]])
async def test_each_edited_property_is_named(world: Prepared, auditor_store: Store, tmp_path: Path, group: str) -> None:
    folder = copytree(world.folder, tmp_path / "node")
    async with AsyncExitStack() as edits:
        for edit in PROPERTIES[group]:
            await edits.enter_async_context(edited(world.store, edit))
        report = await found_in(world, auditor_store, folder)
    for edit in PROPERTIES[group]:
        check_named(report, edit.named, edit.name)


@asynccontextmanager
async def edited(store: Store, edit: PropertyEdit) -> AsyncIterator[None]:
    """Set a property to another value, and back afterwards."""
    (before, *_) = await run_raw(store, f"{edit.match} RETURN x.{edit.name} AS before")
    value = before["before"]
    await run_raw(store, f"{edit.match} SET x.{edit.name} = {edit.value}")
    try:
        yield
    finally:
        if isinstance(value, datetime):
            await run_raw(store, f"{edit.match} SET x.{edit.name} = datetime($before)", before=value.isoformat())
        else:
            await run_raw(store, f"{edit.match} SET x.{edit.name} = $before", before=value)


@both_engines
async def test_each_invention_in_the_database_is_named(world: Prepared, auditor_store: Store, tmp_path: Path) -> None:
    folder = copytree(world.folder, tmp_path / "node")
    try:
        for edit in STRUCTURE.values():
            await run_raw(world.store, edit.do)
        report = await found_in(world, auditor_store, folder)
    finally:
        for edit in STRUCTURE.values():
            await run_raw(world.store, edit.undo)
    for edit in STRUCTURE.values():
        check_named(report, edit.named)


@pytest.mark.parametrize("clearance", [STRICTEST, pytest.param(Boundary.PUBLIC, marks=both_engines)])
async def test_a_flipped_class_of_a_source_hides_no_other_finding(
    world: Prepared, auditor_store: Store, tmp_path: Path, clearance: Boundary
) -> None:
    """A class that was made stricter withholds texts from some readers: that they are withheld is a finding then."""
    changed = {"claim_text": "It says something else.", "confidence": 0.11}
    (before,) = await run_raw(world.store, f"{_ONE} RETURN x.claim_text AS claim_text, x.confidence AS confidence")
    (chunk,) = await run_raw(world.store, f"{_CHUNK} RETURN x.chunk_key AS key, x.text AS text")
    set_both = f"{_ONE} SET x.claim_text = $claim_text, x.confidence = $confidence"
    await run_raw(world.store, f"{_DOCUMENT} SET x.boundary = 'confidential'")
    await run_raw(world.store, set_both, **changed)
    await run_raw(world.store, f"{_CHUNK} SET x.text = 'Other words.'")
    await run_raw(world.store, _UNSIGNED.do)
    try:
        folder = await export_node(world.platform, tmp_path / "node", clearance)
        report = await audited(FolderNode(folder), auditor_store)
    finally:
        await run_raw(world.store, f"{_DOCUMENT} SET x.boundary = 'public'")
        await run_raw(world.store, set_both, **before)
        await run_raw(world.store, f"{_CHUNK} SET x.text = $text", text=chunk["text"])
        await run_raw(world.store, _UNSIGNED.undo)
    check_named(report, _UNSIGNED.named)
    if clearance is STRICTEST:
        check_named(report, 'boundary is "confidential", and the log makes it "public"')
        check_named(report, FIRST, "claim_text is ")
        check_named(report, FIRST, "confidence is 0.11")
        check_named(report, f"Chunk {chunk['key']}", "text is ")
    else:
        # The registration is withheld with its source, and the class that it states is not.
        check_named(report, f"no registration of {sha256_digest(SOURCE)} states that it is confidential")
        check_named(report, FIRST, "is withheld, and the log")


@both_engines
async def test_the_world_is_as_it_was_after_all_these_edits(
    world: Prepared, auditor_store: Store, tmp_path: Path
) -> None:
    report = await found_in(world, auditor_store, copytree(world.folder, tmp_path / "node"))
    assert [finding.line for finding in report.findings] == []


# --- the log, its documents and sources, as files


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy of the export, to be edited; and the key that signs the log, which the operator has."""

    folder: Path
    prepared: Prepared

    @property
    def size(self) -> int:
        return _size(self.folder)

    @property
    def place(self) -> str:
        return f"000.p/{self.size}"

    @property
    def leaves(self) -> list[bytes]:
        return list(read_entry_bundle((self.folder / "tile/entries" / self.place).read_bytes()))

    def write_leaves(self, leaves: list[bytes]) -> None:
        (self.folder / "tile/entries" / self.place).write_bytes(write_entry_bundle(leaves))

    def write_hashes(self, leaves: list[bytes]) -> None:
        (self.folder / "tile/0" / self.place).write_bytes(b"".join(map(hash_leaf, leaves)))

    def sign_again(self, leaves: list[bytes]) -> None:
        """Make tiles and checkpoint of these leaves, as an operator can who has the key of the log."""
        note = (self.folder / "checkpoint").read_text(encoding="utf-8")
        origin = read_checkpoint(read_note(note).text).origin
        log = self.prepared.platform.log
        checkpoint = Checkpoint(origin, len(leaves), root_hash([hash_leaf(leaf) for leaf in leaves]))
        signed = sign_checkpoint(checkpoint, log.signers.signer_of(log.verifier_key))
        (self.folder / "checkpoint").write_text(signed, encoding="utf-8")
        for kind in ("tile/entries", "tile/0"):
            (self.folder / kind / "000.p").mkdir(parents=True, exist_ok=True)
        self.write_leaves(leaves)
        self.write_hashes(leaves)

    def document(self, log_index: int) -> Path:
        return file_of(self.folder / "messages", json.loads(self.leaves[log_index])["documentHash"])

    def index_of(self, type: str, occurrence: int = 0) -> int:
        found = [index for index, leaf in enumerate(self.leaves) if json.loads(leaf)["type"] == type]
        return found[occurrence]

    def put_document(self, log_index: int, content: bytes, **members: object) -> list[bytes]:
        """Put another document at a place, with an entry that fits it; return the leaves."""
        leaves = self.leaves
        entry = json.loads(leaves[log_index]) | {"documentHash": sha256_digest(content), **members}
        leaves[log_index] = canonicalize(entry)
        path = file_of(self.folder / "messages", sha256_digest(content))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return leaves


def changed_leaf(copy: Copy) -> str:
    leaves = copy.leaves
    leaves[9] = leaves[9].replace(b'"receivedAt":"20', b'"receivedAt":"19')
    copy.write_leaves(leaves)
    return "tree: log entry 9: its leaf in tile/entries/"


def swapped_leaves(copy: Copy) -> str:
    leaves = copy.leaves
    leaves[9], leaves[10] = leaves[10], leaves[9]
    copy.write_leaves(leaves)
    return "tree: log entry 10: its leaf in tile/entries/"


def dropped_leaf(copy: Copy) -> str:
    copy.write_leaves(copy.leaves[:-1])
    return f"has {copy.size - 1} entries, not {copy.size}"


def added_leaf(copy: Copy) -> str:
    copy.write_leaves([*copy.leaves, copy.leaves[3]])
    return f"has {copy.size + 1} entries, not {copy.size}"


def leaf_of_other_spelling(copy: Copy) -> str:
    leaves = copy.leaves
    leaves[9] = leaves[9].replace(b'{"', b'{ "', 1)
    copy.sign_again(leaves)
    return "entry: log entry 9: entry 9 is not in its canonical form"


def missing_bundle(copy: Copy) -> str:
    (copy.folder / "tile/entries" / copy.place).unlink()
    return "tree: tile/entries/000.p/"


def changed_tile(copy: Copy) -> str:
    path = copy.folder / "tile/0" / copy.place
    data = bytearray(path.read_bytes())
    data[32 * 7 + 5] ^= 1
    path.write_bytes(data)
    return "tree: log entry 7: its leaf in tile/entries/"


def missing_tile(copy: Copy) -> str:
    (copy.folder / "tile/0" / copy.place).unlink()
    return "tree: tile/0/000.p/"


def short_tile(copy: Copy) -> str:
    path = copy.folder / "tile/0" / copy.place
    path.write_bytes(path.read_bytes()[:-32])
    return f"has {copy.size - 1} hashes, not {copy.size}"


def _edit_checkpoint(copy: Copy, line: int, text: str) -> None:
    path = copy.folder / "checkpoint"
    lines = path.read_text(encoding="utf-8").split("\n")
    lines[line] = text
    path.write_text("\n".join(lines), encoding="utf-8")


def smaller_checkpoint(copy: Copy) -> str:
    _edit_checkpoint(copy, 1, str(copy.size - 1))
    return "checkpoint: checkpoint: "


def other_root(copy: Copy) -> str:
    _edit_checkpoint(copy, 2, "A" * 43 + "=")
    return "tree: checkpoint: its root is not that of the "


def other_origin(copy: Copy) -> str:
    _edit_checkpoint(copy, 0, "urn:agent:a2ap-node:ffffffffffffffff")
    return "checkpoint: checkpoint: is of the log urn:agent:a2ap-node:ffffffffffffffff, not of "


def signed_by_another(copy: Copy) -> str:
    checkpoint = read_checkpoint(read_note((copy.folder / "checkpoint").read_text(encoding="utf-8")).text)
    (copy.folder / "checkpoint").write_text(sign_checkpoint(checkpoint, agent_key(77)), encoding="utf-8")
    return "checkpoint: checkpoint: the note is not signed by "


def no_checkpoint(copy: Copy) -> str:
    (copy.folder / "checkpoint").unlink()
    return "checkpoint: checkpoint: checkpoint is not in "


def changed_document(copy: Copy) -> str:
    index = copy.index_of("ProvenanceStatement")
    path = copy.document(index)
    path.write_bytes(path.read_bytes().replace(b"forty feet", b"fifty feet", 1))
    return f"document: log entry {index}: its document is sha256:"


def respaced_document(copy: Copy) -> str:
    """The signature still holds; the bytes are no longer those that were received."""
    index = copy.index_of("VerificationResponse")
    path = copy.document(index)
    path.write_bytes(path.read_bytes() + b"\n")
    return f"document: log entry {index}: its document is sha256:"


def missing_document(copy: Copy) -> str:
    index = copy.index_of("Endorsement")
    copy.document(index).unlink()
    return f"document: log entry {index}: its document sha256:"


def document_of_another(copy: Copy) -> str:
    first, second = copy.index_of("VerificationResponse"), copy.index_of("VerificationResponse", 1)
    copy.document(first).write_bytes(copy.document(second).read_bytes())
    return f"document: log entry {first}: its document is sha256:"


def entry_of_another_document(copy: Copy) -> str:
    """The operator has the log's key: tiles and checkpoint fit, the document does not."""
    index, leaves = copy.index_of("VerificationResponse"), copy.leaves
    other = json.loads(leaves[copy.index_of("VerificationResponse", 1)])["documentHash"]
    leaves[index] = canonicalize(json.loads(leaves[index]) | {"documentHash": other})
    copy.sign_again(leaves)
    return f"document: log entry {index}: has the "


def entry_of_another_agent(copy: Copy) -> str:
    index, leaves = copy.index_of("ProvenanceStatement"), copy.leaves
    leaves[index] = canonicalize(json.loads(leaves[index]) | {"agent": agent_id(VERIFIER_A)})
    copy.sign_again(leaves)
    return f"document: log entry {index}: has the agent "


def forged_statement(copy: Copy) -> str:
    """A claim put under an author's name, with everything an operator can make: all but the signature."""
    index = copy.index_of("ProvenanceStatement")
    statement = statement_message(AUTHOR, claim="The operator says so.", statement_id=message_id("forged"))
    forged = write_json(sign_message(statement, agent_key(98), f"{agent_id(AUTHOR)}#key-1"))
    envelope = envelope_of(forged)
    copy.sign_again(copy.put_document(index, forged, id=envelope.id, signedHash=envelope.signed_hash))
    return f"signature: log entry {index}: {envelope.id}: the signature in the name of "


def verdict_before_its_agent(copy: Copy) -> str:
    """The log in another order: who signs has to be registered before."""
    leaves = copy.leaves
    statement, registration = copy.index_of("ProvenanceStatement"), copy.index_of("AgentRegistration", 1)
    leaves[statement], leaves[registration] = leaves[registration], leaves[statement]
    copy.sign_again(leaves)
    return f"signature: log entry {registration}: "


def second_policy_by_an_agent(copy: Copy) -> str:
    index = copy.index_of("Endorsement")
    policy = signed_policy(AUTHOR, threshold=0.01)
    envelope = envelope_of(policy)
    leaves = copy.put_document(
        index, policy, id=envelope.id, signedHash=envelope.signed_hash, type="Policy", agent=agent_id(AUTHOR),
        key=f"{agent_id(AUTHOR)}#key-1",
    )  # fmt: skip
    copy.sign_again(leaves)
    return f"signature: log entry {index}: {envelope.id}: "


def changed_source(copy: Copy) -> str:
    path = file_of(copy.folder / "sources", sha256_digest(SOURCE))
    path.write_bytes(SOURCE.replace(b"forty", b"fifty"))
    return f"source: source {sha256_digest(SOURCE)}: content announced as "


def missing_source(copy: Copy) -> str:
    file_of(copy.folder / "sources", sha256_digest(SOURCE)).unlink()
    return f"Document {sha256_digest(SOURCE)}"


def _edit_rows(copy: Copy, edit: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    path = copy.folder / "graph.ndjson"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    kept = [row for row in map(edit, rows) if row is not None]
    path.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")


def hidden_statement(copy: Copy) -> str:
    """A row that is left out of what is published, with the counts made to fit."""

    def edit(row: dict[str, Any]) -> dict[str, Any] | None:
        if "counted" in row:
            row["counted"]["nodes"]["Statement"] -= 1
        return None if row.get("key") == STATEMENT else row

    _edit_rows(copy, edit)
    return f"graph: {FIRST}"


def text_said_to_be_withheld(copy: Copy) -> str:
    """A text that this reader may see, hidden behind a reason."""

    def edit(row: dict[str, Any]) -> dict[str, Any]:
        if row.get("relationship") == "CITES" and row["start"] == STATEMENT:
            row["properties"] |= {"quote_text": "", "withheld": "the source is confidential"}
        return row

    _edit_rows(copy, edit)
    return f"graph: CITES {STATEMENT}"


def fewer_entries_than_signed(copy: Copy) -> str:
    """An older state of everything, as a restored backup has it: rows of a smaller log under the newest checkpoint."""

    def edit(row: dict[str, Any]) -> dict[str, Any]:
        if "graph" in row:
            row["graph"]["logSize"] -= 1
        if "heads" in row:
            row["heads"][0]["size"] -= 1
        return row

    _edit_rows(copy, edit)
    return "graph: LogHead: size is "


def doubled_verdict(copy: Copy) -> str:
    """One verdict in two places, each with an entry, so that it might count twice."""
    index, leaves = copy.index_of("VerificationResponse"), copy.leaves

    def edit(row: dict[str, Any]) -> dict[str, Any]:
        if "graph" in row:
            row["graph"]["logSize"] += 1
        if "heads" in row:
            row["heads"][0]["size"] += 1
        return row

    _edit_rows(copy, edit)
    copy.sign_again([*leaves, leaves[index]])
    return f"entry: log entry {len(leaves)}: is the message of entry {index} once more"


FILES = [
    changed_leaf, swapped_leaves, dropped_leaf, added_leaf, leaf_of_other_spelling, missing_bundle,
    changed_tile, missing_tile, short_tile,
    smaller_checkpoint, other_root, other_origin, signed_by_another, no_checkpoint,
    changed_document, respaced_document, missing_document, document_of_another,
    entry_of_another_document, entry_of_another_agent, forged_statement, verdict_before_its_agent,
    second_policy_by_an_agent, doubled_verdict, changed_source, missing_source,
    hidden_statement, text_said_to_be_withheld, fewer_entries_than_signed,
]  # fmt: skip


def _sentence(edit: Callable[[Copy], str]) -> str:
    return edit.__name__.replace("_", " ")


@pytest.mark.parametrize("edit", FILES, ids=_sentence)
async def test_an_edited_file_is_named(
    world: Prepared, auditor_store: Store, tmp_path: Path, edit: Callable[[Copy], str]
) -> None:
    copy = Copy(copytree(world.folder, tmp_path / "node"), world)
    named = edit(copy)
    trust = Trust(world.platform.log.verifier_key)
    check_named(await audited(FolderNode(copy.folder), auditor_store, trust=trust), named)


# --- another past, signed by the log itself: only who remembers a checkpoint can tell


def _change_one(leaves: list[bytes]) -> list[bytes]:
    return [*leaves[:9], leaves[9].replace(b'"receivedAt":"20', b'"receivedAt":"19'), *leaves[10:]]


REWRITTEN: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "one entry is changed": (_change_one, "the log does not continue its earlier checkpoint"),
    "two entries change places": (lambda all: [*all[:9], all[10], all[9], *all[11:]], "does not continue"),
    "an entry is dropped and another one is added": (lambda all: [*all[:9], *all[10:], all[9]], "does not continue"),
    "an entry is put in between and the log grows": (lambda all: [*all[:9], all[3], *all[9:]], "does not continue"),
    "the newest entries are gone": (lambda all: all[:-3], "entries, and now it has "),
}


@pytest.mark.parametrize("name", REWRITTEN)
async def test_a_log_that_was_rewritten_and_signed_is_found_by_who_remembers(
    world: Prepared, auditor_store: Store, tmp_path: Path, name: str
) -> None:
    rewrite, named = REWRITTEN[name]
    kept, trust = tmp_path / "kept", Trust(world.platform.log.verifier_key)
    first = await audited(FolderNode(world.folder), auditor_store, kept, trust)
    assert first.passed
    copy = Copy(copytree(world.folder, tmp_path / "node"), world)
    copy.sign_again(rewrite(copy.leaves))
    report = await audited(FolderNode(copy.folder), None, kept, trust)
    check_named(report, named)
    assert any(finding.where == f"checkpoint of {_size(world.folder)} entries" for finding in report.findings)
    if "gone" not in name:
        assert report.equivocation is not None
        verify_equivocation(*report.equivocation, world.platform.log.verifier_key, report.equivocation_hashes)
    again = await audited(FolderNode(world.folder), None, kept, trust)
    assert again.passed, "what did not pass must not be remembered"


@both_engines
@pytest.mark.parametrize("engine", ["neo4j"], indirect=True)  # the embedded engine gives a node one label for good
async def test_a_second_label_on_a_node_is_found(
    engine: Any, world: Prepared, auditor_store: Store, tmp_path: Path
) -> None:
    folder = copytree(world.folder, tmp_path / "node")
    await run_raw(world.store, f"{_ONE} SET x:Approved")
    try:
        report = await found_in(world, auditor_store, folder)
    finally:
        await run_raw(world.store, f"{_ONE} REMOVE x:Approved")
    check_named(report, "graph: Approved: the database has 1 nodes of this kind")


DELETED = {
    f"{_VERDICT} DETACH DELETE x": f"(log entry {{verdict}}): {_MISSING.format('node')}",
    f"{_CITES} DELETE x": f"CITES {STATEMENT} → {{chunk}} (log entry {{statement}}): {_MISSING.format('relationship')}",
    f"{_KEY} DETACH DELETE x": f"Key {agent_id(AUTHOR)}#key-1 (log entry 2): {_MISSING.format('node')}",
    f"{_ENTRY} DETACH DELETE x": f"LogEntry 5 (log entry 5): {_MISSING.format('node')}",
    f"{_LAST} DETACH DELETE x": f"LogEntry {{last}} (log entry {{last}}): {_MISSING.format('node')}",
}
"""Each deletion, and the finding that names it."""


@both_engines
async def test_what_is_deleted_from_the_database_is_named(
    world: Prepared, auditor_store: Store, tmp_path: Path
) -> None:
    """It is deleted all at once, and nothing is put back: no other test of this module may come behind this one."""
    folder = copytree(world.folder, tmp_path / "node")
    last = _size(folder) - 1
    (facts,) = await run_raw(
        world.store,
        f"{_VERDICT} MATCH (s:Statement {{signed_hash: '{STATEMENT}'}})-[:CITES]->(c:Chunk)"
        " RETURN x.log_index AS verdict, s.log_index AS statement, c.chunk_key AS chunk",
    )
    for deletion in DELETED:
        await run_raw(world.store, deletion, **({"last": last} if "$last" in deletion else {}))
    report = await found_in(world, auditor_store, folder)
    for named in DELETED.values():
        check_named(report, named.format(last=last, **facts))
