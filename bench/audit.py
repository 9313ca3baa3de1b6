"""Speed of an audit of a node over HTTP beside the bulk load of the same documents."""

import tempfile
import time
from pathlib import Path
from typing import Any

from bench.load import prepared_platform, timed_load
from bench.page import serving
from bench.statements import bench_agent, source, statements
from graph.audit.audit import Audit, Trust
from graph.audit.kept_checkpoints import KeptCheckpoints
from graph.audit.report import AuditReport
from graph.audit.run import open_node
from graph.audit.workspace import Workspace
from graph.database.endpoint import Endpoint
from graph.platform import Platform
from graph.settings import Settings
from graph.store import scratch_store


async def measure_audit(endpoint: Endpoint, count: int = 1000) -> dict[str, Any]:
    """Return documents/s of an audit ÷ documents/s of the bulk load of the same, with and without the graph.

    The audit that compares the graph writes all of it again on an embedded engine of its own, whose start is not in the
    time.
    """
    content = source(2000)
    documents = list(statements(bench_agent(), content, count))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder) / "node")
        async with prepared_platform(endpoint, settings, content) as platform:
            loaded = await timed_load(platform, documents)
            async with serving(platform, settings) as address:
                url = address.removesuffix("/graphql")
                documents_only = await _time_audit(platform, url, Path(folder) / "first", compare_graph=False)
                whole = await _time_audit(platform, url, Path(folder) / "second", compare_graph=True)
    return {
        "statements": count,
        "without graph": round(loaded / documents_only, 3),
        "ratio": round(loaded / whole, 3),
    }


async def _time_audit(platform: Platform, url: str, folder: Path, *, compare_graph: bool) -> float:
    trust, kept = Trust(platform.log.verifier_key), KeptCheckpoints(folder / "kept", None)
    report, workspace = AuditReport(), Workspace(folder / "workspace")
    try:
        async with open_node(url) as node:
            audit = Audit(node, workspace, kept, trust, report)
            if not compare_graph:
                started = time.perf_counter()
                await audit.run(None)
                taken = time.perf_counter() - started
            else:
                async with scratch_store(folder / "engine", heap="512m") as scratch:
                    started = time.perf_counter()
                    await audit.run(scratch)
                    taken = time.perf_counter() - started
    finally:
        workspace.close()
    if not report.passed:
        raise RuntimeError(f"the node does not hold: {[finding.line for finding in report.findings[:3]]}")
    return taken
