"""An audit of a node: what it checks, what it says that it did not, and what it remembers."""

from pathlib import Path

from audited import audited, auditor_store, export_node
from export_world import everything
from platform_fixture import platform

from graph.audit.folder_node import FolderNode
from graph.platform import Platform
from graph.store import Store

__all__ = ["auditor_store", "platform"]


async def test_an_honest_node_has_no_findings(platform: Platform, auditor_store: Store, tmp_path: Path) -> None:
    await everything(platform)
    folder = await export_node(platform, tmp_path / "node")
    report = await audited(FolderNode(folder), auditor_store)
    assert [finding.line for finding in report.findings] == []
    assert report.checked["log entries"] == report.checked["documents"] == report.tree_size
    assert set(report.not_compared) == {
        "whether the log key is the right one: the node itself was asked for it",
        "whether others see the same log: no witnesses are asked for",
    }
