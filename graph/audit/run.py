"""Runs an audit from beginning to end: opens the node, a temporary folder and an engine of its own, and closes them.

A log that grows while it is audited changes the graph between two steps, so that a row of an honest node may differ
from the row that the first checkpoint makes. Rules:

- If an audit has findings and the log grew, or bytes of sources came, the node is audited anew from its newest
  checkpoint, up to `READINGS` times.
- A difference is a finding if each reading has it. The other differences are left out of the comparison, and the audit
  is not finished.
- The folder of an export cannot be read anew. If the log grew during the export, differences of its graph are left out.
"""

import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from graph.audit.audit import Audit, Progress, Trust
from graph.audit.folder_node import FolderNode
from graph.audit.http_node import open_http_node
from graph.audit.kept_checkpoints import KeptCheckpoints
from graph.audit.node_files import NodeFiles
from graph.audit.report import AuditReport, FindingKind
from graph.audit.workspace import Workspace
from graph.errors import AuditError
from graph.store import scratch_store


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """The address or folder of the node to audit, and the options of the audit."""

    node: str
    trust: Trust
    kept: KeptCheckpoints
    token: str | None = None
    compare_graph: bool = True
    heap: str = "512m"


READINGS = 3
"""The maximum number of audits of one log that grows."""


async def run_audit(request: AuditRequest, report: AuditReport, progress: Progress) -> None:
    """Audit a node; its findings are told at the end. Raises AuditError if it does not answer."""
    async with open_node(request.node, request.token) as node:
        found = await _audit(node, request, progress)
        findings = found.findings
        if isinstance(node, FolderNode) and found.grown:
            findings = [one for one in findings if one.kind is not FindingKind.GRAPH]
        else:
            for _ in range(READINGS - 1):
                if not (findings and found.grown):
                    break
                found = await _audit(node, request, progress)
                again = set(found.findings)
                findings = [one for one in findings if one in again] if found.grown else found.findings
    if len(findings) < len(found.findings):
        found.stop("differences that not every reading has: the log grew meanwhile")
        found.findings, found.more = findings, 0
    report.take(found)


async def _audit(node: NodeFiles, request: AuditRequest, progress: Progress) -> AuditReport:
    report = AuditReport()
    async with AsyncExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="a2ap-audit-")))
        workspace = Workspace(root / "workspace")
        stack.callback(workspace.close)
        scratch = None
        if request.compare_graph:
            scratch = await stack.enter_async_context(scratch_store(root / "engine", heap=request.heap))
        await Audit(node, workspace, request.kept, request.trust, report, progress).run(scratch)
    return report


@asynccontextmanager
async def open_node(name: str, token: str | None = None) -> AsyncIterator[NodeFiles]:
    """Yield the files of the node at an address or in a folder. Raises AuditError if the name is neither."""
    if name.startswith(("http://", "https://")):
        async with open_http_node(name.rstrip("/"), token) as node:
            yield node
        return
    folder = Path(name)
    if not folder.is_dir():
        raise AuditError(f"{name} is neither an http or https address nor a folder")
    yield FolderNode(folder)
