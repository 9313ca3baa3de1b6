"""An audit of a node: what it checks, what it says that it did not, and what it remembers."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import TemporaryDirectory

import httpx
import pytest
from audited import audited, export_node, over_http
from builders import (
    agent_id,
    agent_key,
    envelope_of,
    gold_label_message,
    key_revocation_message,
    message_id,
    segment,
    sign_as,
    signed_endorsement,
    signed_gold_dispute,
    signed_registration,
    signed_response,
    signed_retraction,
    signed_source,
    signed_statement,
    statement_message,
)
from export_world import everything, secrets
from http_client import OPERATOR, READERS, open_client
from key_world import RECOVERY, by_node, key_world
from peer_simulator import PeerSimulator
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, VERIFIER_B, accept, hash_of, pieces, settle, verified_world
from test_federation import pulled
from test_redaction import an_erased_source, erasure_of, hidden, range_of, redaction_of, statement_with, without
from test_tampering import Copy, Prepared, check_named
from witness_server import witness

from a2ap.boundary import STRICTEST, Boundary
from a2ap.canonical import canonicalize, sha256_digest
from a2ap.json_text import write_json
from a2ap.log.checkpoint import Checkpoint, sign_checkpoint
from a2ap.log.equivocation import verify_equivocation
from a2ap.log.merkle import Frontier, hash_leaf, root_hash
from a2ap.log.signed_note import VerifierKey
from a2ap.log.tiles import tiles_between, write_entry_bundle, write_tile
from a2ap.log.witness_policy import WitnessPolicy
from a2ap.messages.gold_label import Label
from a2ap.signing.signature import sign_message
from graph.audit import http_node
from graph.audit.audit import Trust
from graph.audit.equivocations import equivocation_members, keep_equivocation, kept_equivocations
from graph.audit.folder_node import FolderNode
from graph.audit.http_node import HttpNode
from graph.audit.kept_checkpoints import KeptCheckpoint, KeptCheckpoints
from graph.audit.node_files import TooLongError
from graph.audit.report import AuditReport
from graph.audit.run import open_node
from graph.audit.tree_walk import TreeWalk
from graph.audit.workspace import Workspace
from graph.errors import AuditError
from graph.platform import Platform, utc_now
from graph.store import Store
from graph.submission.log_key_rotation import rotate_log_key
from graph.transparency.witnesses import Witnesses

__all__ = ["platform"]

ASKED_ITSELF = "whether the log key is the right one: the node itself was asked for it"
NO_WITNESSES = "whether others see the same log: no witnesses are asked for"


def lines_of(report: AuditReport) -> list[str]:
    return [finding.line for finding in report.findings]


@pytest.mark.both_engines
async def test_an_honest_node_has_no_findings(platform: Platform, auditor_store: Store, tmp_path: Path) -> None:
    await everything(platform)
    folder = await export_node(platform, tmp_path / "node")
    report = await audited(FolderNode(folder), auditor_store)
    assert lines_of(report) == []
    assert report.checked["log entries"] == report.checked["documents"] == report.tree_size
    assert report.checked["signatures"] == report.tree_size
    assert set(report.not_compared) == {ASKED_ITSELF, NO_WITNESSES}
    assert "the graph, scores included, is the one that the log makes" in report.held


async def test_a_running_node_is_audited_over_http(platform: Platform, auditor_store: Store, tmp_path: Path) -> None:
    await verified_world(platform)
    async with open_client(platform, tmp_path), over_http(platform, OPERATOR) as node:
        report = await audited(node, auditor_store, tmp_path / "kept", Trust(platform.log.verifier_key))
        assert lines_of(report) == [] and set(report.not_compared) == {NO_WITNESSES}
        await accept(platform, signed_statement(AUTHOR, claim="One more."))
        report = await audited(node, auditor_store, tmp_path / "kept")
        assert lines_of(report) == []
        assert any("the log continues its earlier checkpoint of" in what for what in report.held)


@pytest.mark.parametrize("token", [None, READERS["internal"], OPERATOR])
async def test_what_a_reader_may_not_see_is_told_and_not_found(
    platform: Platform, auditor_store: Store, tmp_path: Path, token: str | None
) -> None:
    await secrets(platform)
    async with open_client(platform, tmp_path), over_http(platform, token) as node:
        report = await audited(node, auditor_store)
    assert lines_of(report) == []
    assert ("documents that this reader may not have" in report.not_compared) is (token != OPERATOR)
    assert ("sources that this reader may not have" in report.not_compared) is (token != OPERATOR)


async def test_an_export_for_the_public_is_audited_as_far_as_it_goes(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await secrets(platform)
    folder = await export_node(platform, tmp_path / "node", Boundary.PUBLIC)
    report = await audited(FolderNode(folder), auditor_store)
    assert lines_of(report) == [] and report.not_compared["documents that this reader may not have"]


async def test_an_export_of_the_log_alone_is_audited_as_far_as_it_goes(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    folder = await export_node(platform, tmp_path / "node")
    rmtree(folder / "messages")
    report = await audited(FolderNode(folder), auditor_store, tmp_path / "kept")
    assert lines_of(report) == []
    assert not report.finished and not (tmp_path / "kept").exists()
    assert [why for why in report.not_compared if "export with --documents" in why] == report.unfinished


async def test_a_head_that_is_always_larger_is_no_way_around_the_scores(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    folder = await export_node(platform, tmp_path / "node")
    rows = folder / "graph.ndjson"
    *before, last = rows.read_text().splitlines()
    members = json.loads(last)
    members["heads"][0]["size"] += 1
    rows.write_text("\n".join([*before, json.dumps(members)]) + "\n")
    report = await audited(FolderNode(folder), auditor_store, tmp_path / "kept")
    assert lines_of(report) == []
    assert not report.finished and not (tmp_path / "kept").exists()


async def test_other_bytes_of_a_source_are_named_and_nothing_says_the_contrary(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await verified_world(platform)
    folder = await export_node(platform, tmp_path / "node")
    (source,) = [path for path in (folder / "sources").rglob("*") if path.is_file()]
    source.write_bytes(source.read_bytes() + b" ")
    report = await audited(FolderNode(folder), auditor_store)
    (line,) = lines_of(report)
    assert line.startswith("source: source sha256:")
    assert "sources that are given with other bytes" in " ".join(report.not_compared)
    assert not any("may not have" in why for why in report.not_compared)
    assert not any(what.startswith("the graph, scores included, is") for what in report.held)


async def test_only_what_may_hold_words_of_a_source_is_withheld(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    folder = await export_node(platform, tmp_path / "node")
    name = sha256_digest(signed_registration(VERIFIER_A))
    path = folder / "messages" / name[7:9] / name[9:]
    path.unlink()
    path.with_name(f"{name[9:]}.json").write_text(json.dumps({"withheld": "it is secret"}))
    check_named(await audited(FolderNode(folder), None), "nothing in a message of type AgentRegistration may be")


async def test_what_the_operator_says_of_a_confidential_source_may_be_withheld(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    memo, name = b"The merger is in May.", "urn:doc:test:memo"
    cited = {key: value for key, value in segment("May", source=memo, source_id=name).items() if key != "quoteText"}
    statement = signed_statement(AUTHOR, claim="A merger comes.", evidence=[cited])
    label = gold_label_message(statement, Label.FAIL, labelling_agent=platform.node.agent_id, reason="It is secret.")
    labelled = by_node(platform, label)
    disputed = signed_gold_dispute(labelled, VERIFIER_A)
    source = signed_source(AUTHOR, source=memo, source_id=name, boundary=Boundary.CONFIDENTIAL)
    await accept(platform, source, statement, labelled, disputed)
    folder = await export_node(platform, tmp_path / "node", Boundary.PUBLIC)
    for document in (labelled, disputed):
        digest = sha256_digest(document).removeprefix("sha256:")
        assert not (folder / "messages" / digest[:2] / digest[2:]).exists()
        assert "withheld" in json.loads((folder / "messages" / digest[:2] / f"{digest[2:]}.json").read_text())
    report = await audited(FolderNode(folder), auditor_store)
    assert lines_of(report) == []
    assert "documents that this reader may not have" in " ".join(report.not_compared)


async def test_registrations_of_a_closed_source_may_be_withheld(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    memo, name = b"The merger is in May.", "urn:doc:test:memo"
    cited = {key: value for key, value in segment("May", source=memo, source_id=name).items() if key != "quoteText"}
    named = {**cited, "byteRange": {"start": 0, "end": 10}}
    del named["documentHash"], named["contentHash"]
    await accept(
        platform,
        signed_source(AUTHOR, source=memo, source_id=name, boundary=Boundary.CONFIDENTIAL),
        signed_source(VERIFIER_A, source=memo, source_id=name),
        signed_source(AUTHOR, source=b"An extract.", source_id=name, title="An extract"),
        # One that nothing else leads to, and one that is erased before anything is said of it.
        signed_source(AUTHOR, source=b"Another memo.", source_id=f"{name}:2", boundary=Boundary.PRIVATE),
    )
    await platform.sources.put(sha256_digest(memo), pieces(memo))
    await accept(
        platform,
        signed_statement(AUTHOR, claim="A merger comes.", evidence=[cited]),
        signed_statement(AUTHOR, claim="A merger comes, by its name.", evidence=[named]),
        erasure_of(platform, sha256_digest(memo)),
        erasure_of(platform, sha256_digest(b"Another memo.")),
    )
    for clearance in (Boundary.PUBLIC, Boundary.CONFIDENTIAL, STRICTEST):
        node = FolderNode(await export_node(platform, tmp_path / clearance, clearance))
        report = await audited(node, auditor_store)
        assert lines_of(report) == []
        left_out = report.not_compared["facts about a source that may be from registrations that are left out"]
        assert bool(left_out) == (clearance is Boundary.PUBLIC)


async def test_a_registration_that_is_withheld_without_a_reason_is_named(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    node = await export_node(platform, tmp_path / "node", Boundary.PUBLIC)
    digest = envelope_of(signed_source(AUTHOR)).document_hash.removeprefix("sha256:")
    file = node / "messages" / digest[:2] / digest[2:]
    file.unlink()
    file.with_name(f"{file.name}.json").write_text('{"withheld": "the source is confidential"}')
    report = await audited(FolderNode(node), auditor_store)
    check_named(report, "is withheld, and this reader may read sources that are public")


async def test_an_audit_that_leaves_out_the_graph_is_not_remembered(platform: Platform, tmp_path: Path) -> None:
    await settle(platform)
    folder = await export_node(platform, tmp_path / "node")
    report = await audited(FolderNode(folder), None, tmp_path / "kept")
    assert report.passed and report.finished and not (tmp_path / "kept").exists()


@pytest.mark.parametrize("key", ["of an agent that is not registered", "that is not registered"])
async def test_no_invented_message_hides_behind_one_that_is_withheld(
    platform: Platform, auditor_store: Store, tmp_path: Path, key: str
) -> None:
    await secrets(platform)
    node = await export_node(platform, tmp_path / "node", Boundary.PUBLIC)
    copy = Copy(node, Prepared(platform, platform.store, node))
    index = copy.index_of("AgentRegistration", 2)
    author = AUTHOR if key == "that is not registered" else 97
    statement = statement_message(author, claim="The operator says so.", statement_id=message_id("invented"))
    invented = write_json(sign_message(statement, agent_key(97), f"{agent_id(author)}#another"))
    envelope = envelope_of(invented)
    names = {"type": "ProvenanceStatement", "agent": agent_id(author), "key": f"{agent_id(author)}#another"}
    copy.sign_again(copy.put_document(index, invented, id=envelope.id, signedHash=envelope.signed_hash, **names))
    report = await audited(FolderNode(node), auditor_store)
    assert report.not_compared["documents that this reader may not have"]
    check_named(report, f"signature: log entry {index}: {envelope.id}: ")


@pytest.mark.parametrize("ranges", [None, (), ("The new zoning map keeps the height limit at forty feet.",)])
async def test_what_law_took_away_is_no_finding(
    platform: Platform, auditor_store: Store, tmp_path: Path, ranges: tuple[str, ...] | None
) -> None:
    if ranges is None:
        await settle(platform)
        disclosure = hidden()
        statement = statement_with(disclosure)
        await accept(platform, statement, signed_response(statement, VERIFIER_A))
        await accept(platform, redaction_of(platform, statement, disclosure, None))
    else:
        left = sha256_digest(without(*ranges)) if ranges else None
        await an_erased_source(platform, byte_ranges=[range_of(words) for words in ranges], redacted_document_hash=left)
    async with open_client(platform, tmp_path), over_http(platform, OPERATOR) as node:
        assert lines_of(await audited(node, auditor_store)) == []
    report = await audited(FolderNode(await export_node(platform, tmp_path / "node")), auditor_store)
    assert lines_of(report) == []
    assert report.checked["redacted documents"] == (ranges is None)


async def test_a_redaction_that_no_message_says_is_found(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    disclosure = hidden()
    statement = statement_with(disclosure)
    await accept(platform, statement)
    folder = await export_node(platform, tmp_path / "node")
    left = json.loads(statement)
    del left["disclosures"]
    content = json.dumps(left).encode()
    name, other = sha256_digest(statement), sha256_digest(content)
    messages = folder / "messages"
    (messages / name[7:9] / name[9:]).unlink()
    note = {"redacted": {"by": "urn:uuid:nobody", "documentHash": other}}
    (messages / name[7:9] / f"{name[9:]}.json").write_text(json.dumps(note))
    (messages / other[7:9]).mkdir(exist_ok=True)
    (messages / other[7:9] / other[9:]).write_bytes(content)
    check_named(await audited(FolderNode(folder), auditor_store), "no redaction in the log names it")


async def test_keys_that_change_hands_and_what_is_taken_back_are_replayed(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    made = await key_world(platform)
    stolen = sign_as(
        key_revocation_message(VERIFIER_A, not_trusted_since=made.size - 2), agent_key(VERIFIER_A + RECOVERY)
    )
    await accept(
        platform, signed_statement(AUTHOR, claim="Another."), stolen, signed_retraction(made.statement, AUTHOR)
    )
    report = await audited(FolderNode(await export_node(platform, tmp_path / "node")), auditor_store)
    assert lines_of(report) == []


def with_score(folder: Path, statement: bytes, score: float) -> None:
    """Have an export say that a statement has another score."""
    rows = folder / "graph.ndjson"
    lines = [json.loads(line) for line in rows.read_text().splitlines()]
    (found,) = [line for line in lines if line.get("key") == hash_of(statement)]
    found["properties"]["consensus_score"] = score
    rows.write_text("".join(json.dumps(line) + "\n" for line in lines))


@pytest.mark.parametrize("changed", [None, "judged by who takes it back", "another"])
async def test_a_withheld_retraction_leaves_out_the_score_that_it_may_change_and_no_other(
    platform: Platform, auditor_store: Store, tmp_path: Path, changed: str | None
) -> None:
    made = await verified_world(platform)
    other = signed_statement(AUTHOR, claim="Another.")
    retraction = signed_retraction(made.responses[0], VERIFIER_A)
    await accept(platform, other, signed_response(other, VERIFIER_B), retraction)
    folder = await export_node(platform, tmp_path / "node")
    name = sha256_digest(retraction)
    path = folder / "messages" / name[7:9] / name[9:]
    path.unlink()
    path.with_name(f"{name[9:]}.json").write_text(json.dumps({"withheld": "it quotes what is secret"}))
    if changed is not None:
        with_score(folder, other if changed == "another" else made.statement, 0.123)
    report = await audited(FolderNode(folder), auditor_store)
    assert report.not_compared["documents that this reader may not have"] == 1
    if changed == "another":
        check_named(report, f"Statement {hash_of(other)}")
    else:
        assert lines_of(report) == []


async def test_what_came_from_a_peer_is_audited_with_the_rest(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    peer = PeerSimulator()
    await accept(platform, signed_registration(1), signed_statement(1))
    twin = signed_statement(1, confidence=0.1)
    peer.add(signed_registration(1), twin, signed_registration(2), signed_response(twin, 2))
    peer.add(signed_endorsement(signed_registration(2), 1), signed_source(1))
    assert (await pulled(platform, peer)).taken == 6
    report = await audited(FolderNode(await export_node(platform, tmp_path / "node")), auditor_store)
    assert lines_of(report) == []


async def test_a_log_whose_key_changed_is_followed_from_any_key(
    platform: Platform, auditor_store: Store, tmp_path: Path
) -> None:
    await settle(platform)
    first = platform.log.verifier_key
    for _ in range(2):
        await rotate_log_key(platform.node, platform.log, platform.append, utc_now)
    await accept(platform, signed_statement(AUTHOR))
    assert platform.log.verifier_key != first
    node = FolderNode(await export_node(platform, tmp_path / "node"))
    assert lines_of(await audited(node, auditor_store, trust=Trust(first))) == []
    assert lines_of(await audited(node, None, trust=Trust(platform.log.verifier_key))) == []
    stranger = Trust(VerifierKey(first.name, agent_key(3).public_key))
    check_named(await audited(node, None, trust=stranger), "checkpoint: checkpoint: the note is not signed by")


async def test_witnesses_that_are_asked_for_must_have_cosigned(platform: Platform, tmp_path: Path) -> None:
    await settle(platform)
    async with witness(1, platform.log.verifier_key) as one, httpx.AsyncClient(trust_env=False) as client:
        policy = WitnessPolicy(1, (one.verifier_key,))
        trust = Trust(platform.log.verifier_key, policy)
        before = await audited(FolderNode(await export_node(platform, tmp_path / "before")), None, trust=trust)
        check_named(before, "checkpoint: checkpoint: 0 of 1 witnesses cosigned")
        await Witnesses(platform.log, [one.as_known], client).ask()
        after = await audited(FolderNode(await export_node(platform, tmp_path / "after")), None, trust=trust)
        assert lines_of(after) == [] and "1 witnesses or more cosigned it" in after.held


async def test_a_node_that_does_not_answer_is_an_error_and_no_finding(tmp_path: Path) -> None:
    with pytest.raises(AuditError, match="is neither"):
        async with open_node(str(tmp_path / "missing")):
            pass
    async with open_node("http://127.0.0.1:9") as node:
        with pytest.raises(AuditError, match="is not answered"):
            await node.checkpoint()


@pytest.mark.parametrize("endless", ["/log/checkpoint", "/export", "/messages/fetch", "/sources/"])
async def test_a_node_that_has_no_end_is_not_listened_to_for_ever(
    endless: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_node, "MAX_SOURCE", 2**20)
    monkeypatch.setattr(http_node, "_MAX_MESSAGES", 2**20)
    monkeypatch.setattr(http_node, "_MAX_ROW_BYTES_AN_ENTRY", 2**20)

    async def body() -> AsyncIterator[bytes]:
        while True:
            yield b"{}\n" * 2**10

    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=body()))
    async with httpx.AsyncClient(transport=transport) as http:
        node = HttpNode(http, "http://a2ap.test")
        with pytest.raises((AuditError, TooLongError), match=r"more than|more rows"):
            match endless:
                case "/log/checkpoint":
                    await node.checkpoint()
                case "/messages/fetch":
                    await node.messages(["sha256:0"])
                case "/export":
                    async for _ in node.graph_lines(0):
                        pass
                case _:
                    async for _ in node.source("sha256:0"):
                        pass


async def test_a_node_that_sends_a_byte_now_and_then_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_node, "_PATIENCE", 0.1)

    async def body() -> AsyncIterator[bytes]:
        while True:
            await asyncio.sleep(0.05)
            yield b"x"

    transport = httpx.MockTransport(lambda request: httpx.Response(200, content=body()))
    async with httpx.AsyncClient(transport=transport) as http:
        with pytest.raises(AuditError, match="bytes in"):
            await HttpNode(http, "http://a2ap.test").checkpoint()


# --- the tree alone, of more than one tile


ORIGIN = "urn:agent:a2ap-node:0123456789abcdef"
SIZE = 70_000  # so that there are tiles of level 0, 1 and 2


def leaf(number: int) -> bytes:
    return canonicalize(
        {
            "v": 1,
            "origin": ORIGIN,
            "type": "Policy",
            "id": f"urn:uuid:{number}",
            "documentHash": f"sha256:{number:064x}",
            "signedHash": f"sha256:{number:064x}",
            "agent": ORIGIN,
            "key": f"{ORIGIN}#key-1",
            "receivedAt": "2026-01-01T00:00:00Z",
        }
    )


@pytest.fixture(scope="module")
def large_log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("large")
    leaves = [leaf(number) for number in range(SIZE)]
    rows: list[list[bytes]] = [[], [], []]
    frontier = Frontier()
    for data in leaves:
        completed = frontier.append(hash_leaf(data))
        for level, row in enumerate(rows):
            if len(completed) > 8 * level:
                row.append(completed[8 * level])
    for tile in tiles_between(0, SIZE):
        assert tile.level is not None
        start = tile.index * 256
        path = folder / tile.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(write_tile(rows[tile.level][start : start + tile.width]))
        if tile.level == 0:
            bundle = folder / tile.path.replace("tile/0/", "tile/entries/")
            bundle.parent.mkdir(parents=True, exist_ok=True)
            bundle.write_bytes(write_entry_bundle(leaves[start : start + tile.width]))
    return folder


async def walked(folder: Path, sizes: tuple[int, ...] = ()) -> tuple[TreeWalk, AuditReport]:
    report = AuditReport()
    with TemporaryDirectory() as place:
        workspace = Workspace(Path(place))
        walk = TreeWalk(FolderNode(folder), SIZE, workspace, report)
        async for _ in walk.entries(sizes):
            pass
        workspace.close()
    return walk, report


async def test_a_large_tree_is_computed_from_its_leaves(large_log: Path) -> None:
    walk, report = await walked(large_log, (0, 1, 300, SIZE))
    assert lines_of(report) == [] and walk.complete
    assert walk.roots == {n: root_hash([hash_leaf(leaf(i)) for i in range(n)]) for n in (0, 1, 300, SIZE)}
    assert walk.root == walk.roots[SIZE]


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("tile/1/000", "tree: tile/1/000: hash {0} is not that of the entries {1} to {2}"),
        ("tile/1/001.p/17", "tree: tile/1/001.p/17: hash {0} is not that of the entries "),
        ("tile/2/000.p/1", "tree: tile/2/000.p/1: hash 0 is not that of the entries 0 to 65535"),
        ("tile/0/100", "its leaf in tile/entries/100 is another than in tile/0/100"),
    ],
)
async def test_a_changed_hash_of_any_level_is_named(large_log: Path, path: str, named: str) -> None:
    file = large_log / path
    before = file.read_bytes()
    place = Random(path).randrange(len(before) // 32)
    changed = bytearray(before)
    changed[32 * place] ^= 1
    file.write_bytes(changed)
    try:
        _, report = await walked(large_log)
    finally:
        file.write_bytes(before)
    check_named(report, named.format(place, place * 256, place * 256 + 255))
    assert len(report.findings) == 1


# --- what is remembered


def test_a_checkpoint_is_remembered_by_its_log(tmp_path: Path) -> None:
    kept = KeptCheckpoints(tmp_path / "audit")
    key = VerifierKey(ORIGIN, agent_key(1).public_key)
    note = sign_checkpoint(Checkpoint(ORIGIN, 1, b"\1" * 32), agent_key(1))
    assert kept.load(ORIGIN) is None
    kept.keep(ORIGIN, KeptCheckpoint(key.text, note))
    assert kept.load(ORIGIN) == KeptCheckpoint(key.text, note) and kept.load("another") is None
    one = KeptCheckpoints(tmp_path, tmp_path / "one.json")
    one.keep(ORIGIN, KeptCheckpoint(key.text, note))
    with pytest.raises(AuditError, match="is of the log"):
        one.load("another")
    (tmp_path / "one.json").write_text("{}")
    with pytest.raises(AuditError, match="is not a kept checkpoint"):
        one.load(ORIGIN)


def test_an_equivocation_is_kept_once_with_all_that_proves_it(tmp_path: Path) -> None:
    key = VerifierKey(ORIGIN, agent_key(1).public_key)
    notes = [sign_checkpoint(Checkpoint(ORIGIN, 7, bytes([n]) * 32), agent_key(1)) for n in range(2)]
    for pair in ((notes[0], notes[1]), (notes[1], notes[0])):
        keep_equivocation(tmp_path / "kept", equivocation_members(pair))
    (found,) = kept_equivocations(tmp_path / "kept")
    first, second = found["checkpoints"]
    verify_equivocation(first, second, key)
    assert found["origin"] == ORIGIN and list(kept_equivocations(tmp_path / "none")) == []


@pytest.mark.both_engines
async def test_a_node_serves_the_equivocations_that_it_found_and_that_were_reported(
    platform: Platform, tmp_path: Path
) -> None:
    notes = [sign_checkpoint(Checkpoint(ORIGIN, 7, bytes([n]) * 32), agent_key(1)) for n in range(3)]
    found, reported = (notes[0], notes[1]), (notes[1], notes[2])
    keep_equivocation(platform.settings.data / "audit" / "equivocations", equivocation_members(found))
    row = {
        "signed_hash": "sha256:1",
        "equivocation_id": "urn:uuid:1",
        "origin": ORIGIN,
        "reported_at": "2026-01-01T00:00:00Z",
        "reporting_agent": "urn:agent:test-1",
        "checkpoints": list(reported),
        "consistency_proof": [],
        "log_index": 99,
    }
    await platform.store.write(lambda transaction: transaction.run("write_equivocations", rows=[row]))
    async with open_client(platform, tmp_path) as client:
        answer = await client.get("/log/equivocations")
        assert answer.text.endswith("}\n")
        served = answer.json()["equivocations"]
    assert [proof["checkpoints"] for proof in served] == [list(reported), list(found)]
    for proof in served:
        first, second = proof["checkpoints"]
        verify_equivocation(first, second, VerifierKey(ORIGIN, agent_key(1).public_key))
