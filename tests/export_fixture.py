"""One graph for all tests of a module that only read: `from export_fixture import exported`.

Making it costs more than reading it in every format, so it is made once for each engine.
"""

import base64
import io
import json
import zipfile
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pyarrow.parquet
import pytest
import pytest_asyncio
from export_world import add_secrets, everything
from servers import server_on

from a2ap.boundary import Boundary
from graph.dictionary.labels import NODE_KEYS
from graph.export import ExportFormat, Wanted, open_reader
from graph.export.archive import archive
from graph.export.pieces import file_parts
from graph.export.selection import EVERYTHING, Selection
from graph.log.entry import log_size
from graph.platform import Platform
from graph.store import Store

ALL = Boundary.SAFETY_SENSITIVE


@dataclass(slots=True)
class Snapshot:
    """A graph at a size of the log: nodes by label and key, and relationships, by everything that is known of them."""

    size: int
    nodes: dict[tuple[str, Any], str] = field(default_factory=dict)
    relationships: Counter[tuple[str, ...]] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class ExportedWorld:
    """A platform with everything in it, and the statements about a confidential memo."""

    platform: Platform
    about_memo: tuple[bytes, bytes, bytes]


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def exported(module_store: Store, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ExportedWorld]:
    """Yield the graph; nobody may write to it, or use the fixture `store` in the same module."""
    async with server_on(module_store, tmp_path_factory.mktemp("exported")) as platform:
        await everything(platform)
        yield ExportedWorld(platform, await add_secrets(platform))


async def text_of(
    platform: Platform,
    format: ExportFormat,
    clearance: Boundary = ALL,
    size: int | None = None,
    *,
    selection: Selection = EVERYTHING,
    since: int = 0,
    key: bytes | None = None,
    is_checked: bool = False,
) -> str:
    """Return all files of an export as one text, what is encoded in it as it was before."""
    wanted = Wanted(clearance, size, selection, since, key, is_checked)
    files: dict[str, bytes] = {}
    async with open_reader(platform.store, platform.content, wanted, node=platform.node) as reader:
        async for part in file_parts(reader, format):
            files[part.name] = files.get(part.name, b"") + part.content
    if format is ExportFormat.PARQUET:
        tables = [pyarrow.parquet.read_table(io.BytesIO(content)) for content in files.values()]
        return "".join(repr(table.to_pylist()) for table in tables)
    text = b"".join(files.values()).decode()
    if format is ExportFormat.IN_TOTO:
        return "".join(base64.b64decode(json.loads(line)["payload"]).decode() for line in text.splitlines())
    return text


async def archive_of(platform: Platform, format: ExportFormat, **stated: Any) -> dict[str, bytes]:
    """Return the files of an export as an archive has them, its manifest included."""
    wanted = Wanted(ALL, **stated)
    async with open_reader(platform.store, platform.content, wanted, node=platform.node) as reader:
        content = b"".join([piece async for piece in archive(reader, format, wanted)])
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        assert opened.testzip() is None
        return {name: opened.read(name) for name in opened.namelist()}


async def snapshot(platform: Platform, *, size: int | None = None, selection: Selection = EVERYTHING) -> Snapshot:
    """Return the graph, or what of it is selected."""
    wanted = Wanted(ALL, size, selection)
    async with open_reader(platform.store, platform.content, wanted) as reader:
        found = Snapshot(reader.size)
        await apply_changes(found, reader)
    return found


async def apply_changes(found: Snapshot, reader: Any) -> None:
    """Do to a snapshot what an export says is to be done to a graph."""
    async for nodes in reader.nodes():
        for properties in nodes.properties:
            found.nodes[nodes.label, properties[NODE_KEYS[nodes.label]]] = _plain(properties)
    async for page in reader.edges():
        kind = (page.type, page.start_label, page.end_label)
        if page.is_instead and not page.edges:
            for known in [one for one in found.relationships if one[:3] == kind]:
                del found.relationships[known]
        for edge in page.edges:
            one = (*kind, edge.start, edge.end, _plain(edge.properties))
            if not (page.is_again and one in found.relationships):
                found.relationships[one] += 1


async def changes_since(platform: Platform, earlier: Snapshot, size: int) -> Snapshot:
    """Return what becomes of an earlier snapshot with the changes up to a size."""
    found = Snapshot(size, dict(earlier.nodes), Counter(earlier.relationships))
    wanted = Wanted(ALL, size, since=earlier.size)
    async with open_reader(platform.store, platform.content, wanted) as reader:
        await apply_changes(found, reader)
    return found


async def size_of(platform: Platform) -> int:
    """Return how many entries the log has."""
    return await log_size(platform.store)


def _plain(properties: dict[str, Any]) -> str:
    return repr(sorted((name, value) for name, value in properties.items() if value is not None))
