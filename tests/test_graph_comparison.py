"""The comparison of two graphs by itself: what a node may say is withheld, and what it may not."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.audit.graph_comparison import GraphComparison
from graph.audit.graph_rows import PublishedGraph, load_rows
from graph.audit.report import AuditReport
from graph.audit.workspace import Workspace
from graph.errors import AuditError

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
