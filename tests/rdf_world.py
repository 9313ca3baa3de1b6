"""One graph for the tests of RDF, PROV and SPARQL, and its exports, each made once."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from export_world import everything, secrets
from graph_contents import run_raw
from servers import server_on

from a2ap.boundary import Boundary
from graph.export import ExportFormat, Wanted, open_reader
from graph.export.formats import FORMATS
from graph.platform import Platform


class RdfWorld:
    """A platform that has everything in it, and what was exported of it."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self._exported: dict[tuple[ExportFormat, Boundary], bytes] = {}

    async def exported(self, format: ExportFormat, clearance: Boundary) -> bytes:
        """Return an export, made at the first call."""
        key = format, clearance
        if key not in self._exported:
            self._exported[key] = await self.export_again(format, clearance)
        return self._exported[key]

    async def export_again(self, format: ExportFormat, clearance: Boundary) -> bytes:
        """Return an export made now."""
        write = FORMATS[format].write
        assert write is not None
        platform = self.platform
        async with open_reader(platform.store, platform.content, Wanted(clearance), node=platform.node) as reader:
            return b"".join([piece async for piece in write(reader)])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def world(_session_store: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RdfWorld]:
    """Yield the graph of the tests of exports, with sources that not everybody may read."""
    store, _ = _session_store
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    async with server_on(store, tmp_path_factory.mktemp("rdf")) as platform:
        await everything(platform)
        await secrets(platform)
        yield RdfWorld(platform)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def small_world(_session_store: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[RdfWorld]:
    """Yield a graph of a few statements, on sources that not everybody may read."""
    store, _ = _session_store
    await run_raw(store, "MATCH (n) DETACH DELETE n")
    async with server_on(store, tmp_path_factory.mktemp("rdf")) as platform:
        await secrets(platform)
        yield RdfWorld(platform)
