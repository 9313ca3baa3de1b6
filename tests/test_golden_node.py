"""A data folder that an earlier version made is used as it is.

`A2AP_WRITE_VECTORS=1` writes the digests of its exports, and leaves the folder.
"""

import json
import os
import tarfile
from pathlib import Path

from golden_node import DIGESTS, FOLDER, digests_of
from graph_contents import whole_graph
from honest import problems_of
from rebuilding import rebuilt

from graph.platform import open_platform
from graph.settings import Settings
from graph.store import Store


async def test_a_node_of_an_earlier_version_has_the_same_exports_no_finding_and_the_same_graph_when_rebuilt(
    auditor_store: Store, tmp_path: Path
) -> None:
    with tarfile.open(FOLDER) as archive:
        archive.extractall(tmp_path / "node", filter="data")
    async with open_platform(Settings(data=tmp_path / "node")) as platform:
        digests = await digests_of(platform)
        if os.environ.get("A2AP_WRITE_VECTORS"):
            DIGESTS.write_text(json.dumps(digests, indent=2) + "\n")
        assert digests == json.loads(DIGESTS.read_text())
        assert await problems_of(platform, auditor_store, tmp_path, rebuild=False) == []
        before = await whole_graph(platform.store)
        await rebuilt(platform)
        assert await whole_graph(platform.store) == before
