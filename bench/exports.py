"""P7: memory of exports of a large graph beside those of a small one, and the speed of each format.

Signed statements go through the platform, so that there are documents to export. Each export runs in a process of its
own (`bench.export_once`), whose peak memory the system reports, and is discarded. It is measured when the graph is
small and again when it is large.
"""

import asyncio
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

from bench.load import prepared_platform, timed_load
from bench.statements import bench_agent, source, statements
from graph.database.endpoint import Endpoint
from graph.export.format import ExportFormat
from graph.settings import Settings

SIZES = (10_000, 1_000_000)

_AT_ONCE = 2_000  # statements handed in together


async def measure_exports(
    endpoint: Endpoint, sizes: tuple[int, int] = SIZES, formats: Sequence[ExportFormat] = tuple(ExportFormat)
) -> dict[str, Any]:
    """Return for each format the peak memory of the large export ÷ of the small, and statements/s ÷ the script's.

    `peak` is the highest of these ratios. The Cypher script must be among the formats.
    """
    agent, content = bench_agent(), source(2000)
    measured: list[dict[ExportFormat, dict[str, float]]] = []
    with tempfile.TemporaryDirectory() as folder:
        async with prepared_platform(endpoint, Settings(data=Path(folder)), content) as platform:
            for before, size in pairwise((0, *sizes)):
                for first in range(before, size, _AT_ONCE):
                    count = min(_AT_ONCE, size - first)
                    await timed_load(platform, list(statements(agent, content, count, first)))
                measured.append({format: await _export(endpoint, folder, format) for format in formats})
    small, large = measured
    script = large[ExportFormat.CYPHER]["seconds"]
    found = {
        format.value: {
            "peak": round(large[format]["peak"] / small[format]["peak"], 3),
            "speed": round(script / large[format]["seconds"], 2),
        }
        for format in formats
    }
    return {"statements": list(sizes), "peak": max(one["peak"] for one in found.values()), "formats": found}


async def _export(endpoint: Endpoint, folder: str, format: ExportFormat) -> dict[str, float]:
    asked = {"endpoint": asdict(endpoint), "data": folder, "format": format.value}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bench.export_once",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    answer, _ = await process.communicate(json.dumps(asked).encode())
    if process.returncode:
        raise RuntimeError(f"the export as {format} ended with status {process.returncode}")
    return dict(json.loads(answer))
