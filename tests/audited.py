"""Audits of a test's platform: as a folder or over HTTP without a socket, on the store of an auditor."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from a2ap.boundary import STRICTEST, Boundary
from a2ap.log.tiles import TILE_WIDTH, tiles_between
from graph.app import create_app
from graph.audit.audit import Audit, Trust
from graph.audit.folder_export import export_documents, export_graph
from graph.audit.http_node import HttpNode
from graph.audit.kept_checkpoints import KeptCheckpoints
from graph.audit.node_files import NodeFiles
from graph.audit.report import AuditReport
from graph.audit.workspace import Workspace
from graph.platform import Platform
from graph.store import Store


async def export_node(platform: Platform, folder: Path, clearance: Boundary = STRICTEST) -> Path:
    """Write a node as `a2ap log export --documents --graph` does."""
    log = platform.log
    await log.refresh()
    size = log.checkpoint.tree_size
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "checkpoint").write_text(log.checkpoint_note, encoding="utf-8")
    (folder / "log.vkey").write_text(log.verifier_key.text + "\n", encoding="utf-8")
    for tile in tiles_between(0, size):
        contents = {tile.path: await log.tile(tile.level or 0, tile.index, tile.width)}
        if tile.level == 0:
            width = f".p/{tile.width}" if tile.width < TILE_WIDTH else ""
            assert width in tile.path
            contents[tile.path.replace("tile/0/", "tile/entries/")] = await log.entry_bundle(tile.index, tile.width)
        for path, content in contents.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
    await export_documents(platform.store, platform.content, folder, size, clearance)
    await export_graph(platform.store, platform.content, folder, size, clearance)
    return folder


@asynccontextmanager
async def over_http(platform: Platform, token: str | None = None) -> AsyncIterator[HttpNode]:
    """Yield a platform as an auditor reaches it."""
    transport = httpx.ASGITransport(create_app(platform, platform.settings))
    headers = {"authorization": f"Bearer {token}"} if token else {}
    async with httpx.AsyncClient(transport=transport, headers=headers) as client:
        yield HttpNode(client, "http://a2ap.test")


async def audited(
    node: NodeFiles, auditor: Store | None, kept: Path | None = None, trust: Trust | None = None
) -> AuditReport:
    """Audit a node and return the report; `kept` is the folder in which checkpoints are remembered."""
    report = AuditReport()
    with TemporaryDirectory() as folder:
        workspace = Workspace(Path(folder) / "workspace")
        try:
            if auditor is not None:
                await empty(auditor)
            remembered = KeptCheckpoints(kept or Path(folder) / "kept")
            await Audit(node, workspace, remembered, trust or Trust(), report).run(auditor)
        finally:
            workspace.close()
    return report


async def empty(store: Store) -> None:
    """Take everything out of a store."""
    from graph_contents import run_raw

    await run_raw(store, "MATCH (n) DETACH DELETE n")


__all__ = ["audited", "empty", "export_node", "over_http"]
