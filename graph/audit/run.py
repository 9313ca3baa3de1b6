"""Runs an audit from beginning to end: opens the node, a temporary folder and an engine of its own, and closes them."""

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
from graph.audit.replay import scratch_store
from graph.audit.report import AuditReport
from graph.audit.workspace import Workspace
from graph.errors import AuditError


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """The address or folder of the node to audit, and the options of the audit."""

    node: str
    trust: Trust
    kept: KeptCheckpoints
    token: str | None = None
    compare_graph: bool = True
    heap: str = "512m"


async def run_audit(request: AuditRequest, report: AuditReport, progress: Progress) -> None:
    """Audit a node. Raises AuditError if it does not answer."""
    async with AsyncExitStack() as stack:
        node = await stack.enter_async_context(open_node(request.node, request.token))
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="a2ap-audit-")))
        workspace = Workspace(root / "workspace")
        stack.callback(workspace.close)
        scratch = None
        if request.compare_graph:
            scratch = await stack.enter_async_context(scratch_store(root / "engine", heap=request.heap))
        await Audit(node, workspace, request.kept, request.trust, report, progress).run(scratch)


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
