"""An audit of a node that takes in messages and bytes meanwhile names its faults, and takes no growth for a fault."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from audited import empty, export_node
from builders import SOURCE, signed_retraction, signed_source, signed_statement
from graph_contents import run_raw
from platform_fixture import platform
from scenario import AUTHOR, VERIFIER_A, accept, hash_of, pieces, settle
from served import served

from a2ap.boundary import STRICTEST
from a2ap.canonical import sha256_digest
from a2ap.messages.evidence import build_segment
from graph.audit.audit import Trust
from graph.audit.folder_export import export_graph
from graph.audit.http_node import HttpNode
from graph.audit.kept_checkpoints import KeptCheckpoints
from graph.audit.report import AuditReport
from graph.audit.run import READINGS, AuditRequest, run_audit
from graph.platform import Platform
from graph.store import Store

__all__ = ["platform"]

LATE = b"The bytes of this source come while the node is audited."
NEVER = b"Nobody hands in these bytes."
EARLIER = [signed_statement(AUTHOR, claim=f"Earlier {number}.") for number in range(9)]


@pytest.fixture
def scratch(auditor_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have audits write into one engine, which is emptied for each."""

    @asynccontextmanager
    async def emptied(*_: object, **__: object) -> AsyncIterator[Store]:
        await empty(auditor_store)
        yield auditor_store

    monkeypatch.setattr("graph.audit.run.scratch_store", emptied)


async def world(platform: Platform) -> None:
    await settle(platform)
    await accept(platform, signed_source(AUTHOR), *EARLIER)


async def grow(platform: Platform, number: int) -> None:
    """Take in a source and its bytes, a statement that cites it, the bytes of the first source, and a retraction."""
    source = f"Source {number} says so.".encode()
    name = sha256_digest(source)
    cited = build_segment(f"urn:doc:{number}", 0, 6, document_hash=name, content_hash=sha256_digest(source[:6]))
    await accept(platform, signed_source(VERIFIER_A, source=source, source_id=f"urn:doc:{number}"))
    await accept(platform, signed_statement(AUTHOR, claim=f"Later {number}.", evidence=[cited]))
    await platform.sources.put(name, pieces(source))
    await platform.sources.put(sha256_digest(SOURCE), pieces(SOURCE))
    await accept(platform, signed_retraction(EARLIER[number], AUTHOR))


@pytest.fixture
def readings(platform: Platform, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Have the node grow each time that its graph is asked for; return the numbers of these times."""
    numbers: list[int] = []
    lines = HttpNode.graph_lines

    async def grown(self: HttpNode, size: int) -> AsyncIterator[bytes]:
        numbers.append(len(numbers))
        await grow(platform, numbers[-1])
        async for line in lines(self, size):
            yield line

    monkeypatch.setattr(HttpNode, "graph_lines", grown)
    return numbers


async def audit(node: str, platform: Platform, folder: Path) -> AuditReport:
    report = AuditReport()
    request = AuditRequest(node, Trust(platform.log.verifier_key), KeptCheckpoints(folder))
    await run_audit(request, report, lambda what, done, total: None)
    return report


@pytest.mark.usefixtures("scratch")
async def test_a_node_that_grows_while_it_is_audited_is_not_at_fault(
    platform: Platform, readings: list[int], tmp_path: Path
) -> None:
    await world(platform)
    async with served(platform) as address:
        report = await audit(address, platform, tmp_path / "kept")
    assert [one.line for one in report.findings] == []
    assert len(readings) > 3 and not report.finished
    assert any("the log grew meanwhile" in why for why in report.unfinished)


@pytest.mark.usefixtures("scratch")
async def test_a_fault_of_a_node_that_grows_is_named_and_nothing_else(
    platform: Platform, readings: list[int], tmp_path: Path
) -> None:
    await world(platform)
    change = "MATCH (s:Statement {signed_hash: $name}) SET s.confidence = 0.123"
    await run_raw(platform.store, change, name=hash_of(EARLIER[-1]))
    async with served(platform) as address:
        report = await audit(address, platform, tmp_path / "kept")
    (finding,) = report.findings
    assert hash_of(EARLIER[-1]) in finding.where and "confidence is 0.123" in finding.what
    assert len(readings) == 3 * READINGS


@pytest.mark.usefixtures("scratch")
async def test_bytes_that_come_while_a_node_is_audited_are_no_fault(
    platform: Platform, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Bytes that no statement cites leave no entry in the log, and only these are asked for once more."""
    await settle(platform)
    for source in (LATE, NEVER):
        await accept(platform, signed_source(AUTHOR, source=source, source_id=f"urn:doc:{sha256_digest(source)[-8:]}"))
    lines, source_of = HttpNode.graph_lines, HttpNode.source
    asked: list[str] = []

    def noted(self: HttpNode, document_hash: str) -> AsyncIterator[bytes]:
        asked.append(document_hash)
        return source_of(self, document_hash)

    async def handed_in(self: HttpNode, size: int) -> AsyncIterator[bytes]:
        await platform.sources.put(sha256_digest(LATE), pieces(LATE))
        async for line in lines(self, size):
            yield line

    monkeypatch.setattr(HttpNode, "graph_lines", handed_in)
    monkeypatch.setattr(HttpNode, "source", noted)
    async with served(platform) as address:
        report = await audit(address, platform, tmp_path / "kept")
    assert ([one.line for one in report.findings], report.unfinished) == ([], [])
    assert Counter(asked) == {sha256_digest(SOURCE): 1, sha256_digest(NEVER): 1, sha256_digest(LATE): 2}


@pytest.mark.usefixtures("scratch")
async def test_the_graph_of_an_export_that_was_made_while_the_log_grew_is_compared_with_no_finding(
    platform: Platform, tmp_path: Path
) -> None:
    await world(platform)
    folder = await export_node(platform, tmp_path / "export")
    size = platform.log.checkpoint.tree_size
    await grow(platform, 0)
    await export_graph(platform.store, platform.content, folder, size, STRICTEST)
    report = await audit(str(folder), platform, tmp_path / "kept")
    assert [one.line for one in report.findings] == []
    assert not report.finished
