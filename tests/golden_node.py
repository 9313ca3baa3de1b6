"""The data folder of a node that an earlier version made: `python tests/golden_node.py` writes it anew.

The folder holds the world of `export_world` in the embedded engine, and `digests.json` the exports of that version. It
is written anew only if exports or the graph change on purpose: then with the version before the change, whose exports
are the reference, or with the change, and the commit says so.
"""

import asyncio
import json
import tarfile
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from export_world import add_secrets, everything

from a2ap.boundary import STRICTEST, Boundary
from graph.export import ExportFormat, export
from graph.platform import Platform, open_platform
from graph.settings import Settings

VECTORS = Path(__file__).parent / "vectors" / "golden_node"
FOLDER = VECTORS / "data.tar.xz"
DIGESTS = VECTORS / "digests.json"

# The bytes of a Parquet file depend on the version of its library.
FORMATS = [one for one in ExportFormat if one not in (ExportFormat.CSV, ExportFormat.PARQUET)]


async def digests_of(platform: Platform) -> dict[str, str]:
    """Return the SHA-256 of the export in each format, for a reader of the mildest and one of the strictest class."""
    found = {}
    for format in FORMATS:
        for clearance in (Boundary.PUBLIC, STRICTEST):
            digest = sha256()
            async for piece in export(platform.store, platform.content, format, clearance, node=platform.node):
                digest.update(piece)
            found[f"{format}, {clearance}"] = digest.hexdigest()
    return found


async def make() -> None:
    """Write the folder and the digests of its exports."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        async with open_platform(Settings(data=folder)) as platform:
            await everything(platform)
            await add_secrets(platform)
            await platform.epochs.settled()
            digests = await digests_of(platform)
        VECTORS.mkdir(exist_ok=True)
        DIGESTS.write_text(json.dumps(digests, indent=2) + "\n")
        with tarfile.open(FOLDER, "w:xz") as archive:
            archive.add(folder, ".")


if __name__ == "__main__":
    asyncio.run(make())
