"""The comparison of two graphs by itself: what a node may say is withheld, and what it may not."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from a2ap.log.entry import LogEntry, entry_bytes
from a2ap.messages.message import MessageType
from graph.audit.graph_comparison import GraphComparison
from graph.audit.graph_rows import PublishedGraph, load_rows
from graph.audit.report import AuditReport
from graph.audit.workspace import Workspace
from graph.errors import AuditError

RECEIVED = datetime(2026, 1, 2, tzinfo=UTC)
HIDDEN = {"withheld": "the source is confidential"}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = Workspace(tmp_path / "workspace")
    yield opened
    opened.close()


async def lines(*members: Any) -> AsyncIterator[bytes]:
    for one in members:
        yield json.dumps(one).encode()


async def load(workspace: Workspace, row: dict[str, Any], *, published: bool) -> PublishedGraph:
    label = row.get("node", row.get("relationship"))
    kind = "nodes" if "node" in row else "relationships"
    counted: dict[str, Any] = {"nodes": {}, "relationships": {}, kind: {label: 1}}
    end = {"counted": counted, "heads": [{"size": 0, "statements": int(label == "Statement")}]}
    head = {"graph": {"v": 1, "logSize": 0, "clearance": "public"}}
    return await load_rows(workspace, lines(head, row, end), published=published)


async def compared(workspace: Workspace, ours: dict[str, Any], changes: dict[str, Any]) -> AuditReport:
    """Compare a row with itself as somebody else publishes it, where one entry of the log is withheld."""
    theirs = {**ours, "properties": {**ours["properties"], **changes}}
    published = await load(workspace, theirs, published=True)
    await load(workspace, ours, published=False)
    workspace.skip(5, "withheld", ["sha256:other"])
    report = AuditReport()
    GraphComparison(workspace, published, report).run()
    return report


def node(label: str, **properties: Any) -> dict[str, Any]:
    return {"node": label, "key": "sha256:a", "properties": properties}


@pytest.mark.parametrize(
    ("row", "name", "hidden"),
    [
        (node("Chunk", text="forty feet"), "text", ""),
        (node("Statement", machine_reason="quote"), "machine_reason", ""),
        (node("Verification", finding_evidence=["quote"]), "finding_evidence", [""]),
    ],
)
async def test_a_text_may_be_withheld(workspace: Workspace, row: dict[str, Any], name: str, hidden: object) -> None:
    report = await compared(workspace, row, {name: hidden, **HIDDEN})
    assert report.passed and report.not_compared["texts that this reader may not see"]


@pytest.mark.parametrize(
    ("row", "name", "hidden"),
    [
        (node("Statement", retracted=True), "retracted", False),
        (node("Statement", claim_text="forty feet"), "claim_text", ""),
        (node("Redaction", reason="court order"), "reason", ""),
        (node("Key", not_trusted_since=3), "not_trusted_since", None),
    ],
)
async def test_what_is_no_text_of_a_source_is_not_withheld(
    workspace: Workspace, row: dict[str, Any], name: str, hidden: object
) -> None:
    report = await compared(workspace, row, {name: hidden, **HIDDEN})
    assert any(finding.what.startswith(f"{name} is ") for finding in report.findings)


@pytest.mark.parametrize(
    "line",
    [
        b"[" * 100_000,
        b'{"node": "Statement", "key": "a", "properties": [1]}',
        b'{"counted": {"nodes": {}, "relationships": {}}, "heads": [1]}',
        b'{"counted": {"nodes": {"Statement": "1"}, "relationships": {}}, "heads": []}',
        b'{"counted": {"nodes": {}}, "heads": []}',
        b'{"graph": {"v": 1, "logSize": Infinity, "clearance": "public"}}',
    ],
)
async def test_rows_in_another_form_are_an_error(workspace: Workspace, line: bytes) -> None:
    async def given() -> AsyncIterator[bytes]:
        yield b'{"graph": {"v": 1, "logSize": 0, "clearance": "public"}}'
        yield b'{"counted": {"nodes": {}, "relationships": {}}, "heads": []}'
        yield line

    with pytest.raises(AuditError, match="rows of the graph"):
        await load_rows(workspace, given(), published=True)


def edge(label: str, start: str, end: str, **properties: Any) -> dict[str, Any]:
    return {"relationship": label, "start": start, "end": end, "properties": properties}


COUNTED: dict[str, Any] = {"nodes": {}, "relationships": {}}
STATED, VERDICT, OTHER = "sha256:stated", "sha256:verdict", "sha256:other"
AUTHOR, VERIFIER = "urn:agent:author", "urn:agent:verifier"


@pytest.fixture
def left_out(workspace: Workspace) -> Workspace:
    """Return a workspace whose log has a statement and a verdict that are withheld."""
    for place, (kind, name, agent) in enumerate(
        [("ProvenanceStatement", STATED, AUTHOR), ("VerificationResponse", VERDICT, VERIFIER)]
    ):
        entry = LogEntry(place, 1, "log", kind, f"urn:uuid:{place}", name, name, agent, "key", RECEIVED)
        row = (place, entry_bytes(entry), b"", name, name)
        workspace.run_many("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", [row])
        workspace.skip(place, "withheld", [name, entry.id], kind)
    return workspace


HONEST = (
    {"node": "Statement", "key": STATED, "properties": {}},
    {"node": "Verification", "key": VERDICT, "properties": {}},
    {"node": "Chunk", "key": "chunk", "properties": {}},
    {"node": "Document", "key": "document", "properties": {}},
    edge("GENERATED", AUTHOR, STATED),
    edge("CITES", STATED, "chunk"),
    edge("PART_OF", "chunk", "document"),
    edge("VALIDATES", VERDICT, OTHER),
    edge("PERFORMED_BY", VERDICT, VERIFIER),
    edge("VERIFIED", VERIFIER, OTHER, verification_id="urn:uuid:1"),
)


@pytest.mark.parametrize(
    "invented",
    [
        None,
        {"node": "Statement", "key": "sha256:invented", "properties": {"statement_id": "urn:uuid:0"}},
        {"node": "Statement", "key": VERDICT, "properties": {}},
        {"node": "Agent", "key": "urn:agent:invented", "properties": {"signed_hash": STATED}},
        {"node": "Chunk", "key": "invented", "properties": {}},
        edge("CITES", OTHER, "chunk"),
        edge("CITES", OTHER, "elsewhere", signed_hash=STATED),
        edge("VALIDATES", VERDICT, "sha256:another"),
        edge("GENERATED", VERIFIER, STATED),
        edge("PERFORMED_BY", VERDICT, AUTHOR),
        edge("VERIFIED", AUTHOR, OTHER, verification_id="urn:uuid:1"),
        edge("HAS_KEY", AUTHOR, STATED),
    ],
    ids=lambda row: "nothing" if row is None else row.get("node") or row["relationship"],
)
async def test_no_more_hides_behind_what_is_withheld_than_it_can_make(
    left_out: Workspace, invented: dict[str, Any] | None
) -> None:
    rows = [*HONEST, *([invented] if invented is not None else [])]
    counted: dict[str, Any] = {"nodes": {}, "relationships": {}}
    for row in rows:
        kind = counted["nodes" if "node" in row else "relationships"]
        label = row.get("node", row.get("relationship"))
        kind[label] = kind.get(label, 0) + 1
    head = {"size": 2, "statements": counted["nodes"]["Statement"]}
    first = {"graph": {"v": 1, "logSize": 2, "clearance": "public"}}
    published = await load_rows(left_out, lines(first, *rows, {"counted": counted, "heads": [head]}), published=True)
    report = AuditReport()
    GraphComparison(left_out, published, report).run()
    assert len(report.findings) == (invented is not None), report.findings


@pytest.mark.parametrize(
    ("kind", "named_by", "made"),
    [
        (
            MessageType.RETRACTION,
            "retraction_hash",
            [{"node": "Retraction", "key": OTHER, "properties": {"target_hash": "sha256:a"}}],
        ),
        (
            MessageType.STATEMENT,
            "superseded_by",
            [
                {"node": "Statement", "key": OTHER, "properties": {}},
                *(edge("REVISION_OF", OTHER, f"sha256:{name}") for name in "abc"),
            ],
        ),
    ],
)
async def test_behind_a_retraction_or_revision_left_out_hides_the_score_of_one_statement(
    workspace: Workspace, kind: MessageType, named_by: str, made: list[dict[str, Any]]
) -> None:
    entry = LogEntry(0, 1, "log", kind, "urn:uuid:0", OTHER, OTHER, AUTHOR, "key", RECEIVED)
    workspace.run_many("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", [(0, entry_bytes(entry), b"", OTHER, OTHER)])
    workspace.skip(0, "withheld", [OTHER, entry.id], kind)
    ours = [{"node": "Statement", "key": f"sha256:{name}", "properties": {"consensus_score": 0.1}} for name in "abc"]
    forged = {"consensus_score": 0.9, named_by: OTHER}
    first, last = {"graph": {"v": 1, "logSize": 1, "clearance": "public"}}, {"counted": COUNTED, "heads": [{"size": 1}]}
    await load_rows(workspace, lines(first, *ours, last), published=False)
    theirs = [*made, *({**row, "properties": forged} for row in ours)]
    published = await load_rows(workspace, lines(first, *theirs, last), published=True)
    report = AuditReport()
    GraphComparison(workspace, published, report).run()
    named = [finding.where for finding in report.findings if "consensus_score" in finding.what]
    assert named == ["Statement sha256:b", "Statement sha256:c"], report.findings


async def test_what_is_left_out_may_exclude_a_statement_that_its_verdicts_carry(workspace: Workspace) -> None:
    report = await compared(workspace, node("Statement", verified=True, carried=True), {"verified": False})
    assert report.passed and report.not_compared["statements that may be excluded by statements that are left out"]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ({"verified": False, "carried": True}, {"verified": True}),
        ({"verified": True, "carried": True}, {"verified": False, "carried": False}),
        ({"verified": False, "carried": False}, {"verified": True}),
    ],
)
async def test_what_is_left_out_verifies_nothing(
    workspace: Workspace, ours: dict[str, Any], theirs: dict[str, Any]
) -> None:
    assert not (await compared(workspace, node("Statement", **ours), theirs)).passed


@pytest.mark.parametrize(
    ("row", "name", "working", "reason"),
    [
        (node("Statement", verified=True), "verified", {"rescore_from": 500}, "scores that are being worked out again"),
        (
            node("Agent", estimated_accuracy=0.6),
            "estimated_accuracy",
            {"rescore_from": 500},
            "scores that are being worked out again",
        ),
        (
            node("VerificationRequest", open_until=1),
            "open_until",
            {"resettle_after": "sha256:a"},
            "which requests wait, which is being worked out again",
        ),
    ],
)
async def test_what_is_being_worked_out_again_is_not_compared_until_it_is_done(
    workspace: Workspace, row: dict[str, Any], name: str, working: dict[str, Any], reason: str
) -> None:
    theirs = {**row, "properties": {**row["properties"], name: None}}
    await load(workspace, row, published=False)
    published = await load(workspace, theirs, published=True)
    for heads, passes in (({**published.heads[0], **working}, True), (published.heads[0], False)):
        report = AuditReport()
        GraphComparison(workspace, replace(published, heads=[heads]), report).run()
        assert report.passed == passes
        assert (reason in report.not_compared) == passes
