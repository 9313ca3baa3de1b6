"""Fixtures that every test may use: both graph engines, and an empty database on each."""

from __future__ import annotations

import gc
import os
import re
import shutil
from collections.abc import AsyncIterator
from contextlib import ExitStack, aclosing

import pytest
import pytest_asyncio
from neo4j import AsyncDriver, AsyncGraphDatabase
from neo4j_server import NoNeo4jError, neo4j_server
from quick_java import QUICK, keep_classes
from xdist.scheduler import LoadScopeScheduling

from graph.database.endpoint import Endpoint
from graph.engine.engine import embedded_engine
from graph.past.engine import PastEngine
from graph.settings import Settings
from graph.store import Store, connect_store

pytest_plugins = ["a2ap.testing", "engine_contract", "auditor", "pytester"]

HEAP = "512m"  # for each Java process that the tests start

# A test waits for the disk thousands of times: its files are in memory if there is room for them.
_MEMORY = "/dev/shm"
if os.path.isdir(_MEMORY) and shutil.disk_usage(_MEMORY).free > 8 << 30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", _MEMORY)

# Engines that compile twice spend two fifths of their time on it.
os.environ.setdefault("JAVA_TOOL_OPTIONS", QUICK[0])

_AT_ONCE = 10_000
_EMPTY = "MATCH (n) WITH n LIMIT $first DETACH DELETE n RETURN count(n) AS deleted"


def pytest_configure(config: pytest.Config) -> None:
    """Keep the classes of engines before a run with several workers, which starts many of them."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        keep_classes()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run the tests that need no engine first: they are fast, and say more. Then each engine is started once.

    With several workers the tests of Neo4j come first, all in one worker, and those without an engine last, so that no
    worker waits long for another.
    """
    shared = hasattr(config, "workerinput")
    items.sort(key=lambda item: ("engine" in getattr(item, "fixturenames", ()), _engine_of(item)), reverse=shared)


def pytest_collection_finish() -> None:
    """Look for garbage no more in what was collected: there is much of it, and it stays to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> LoadScopeScheduling:
    """Share out the files in the order of the collection; one process takes all tests of Neo4j."""
    config.option.loadscopereorder = False
    return _ByFile(config, log)


class _ByFile(LoadScopeScheduling):  # type: ignore[misc]  # xdist has no types
    def _split_scope(self, nodeid: str) -> str:
        if re.search(r"[\[-]neo4j[\]-]", nodeid):
            return "neo4j"
        return nodeid.partition("::")[0]


def _engine_of(item: pytest.Item) -> str:
    called = getattr(item, "callspec", None)
    return str(called.params.get("engine", "")) if called is not None else ""


@pytest_asyncio.fixture(scope="session", loop_scope="session", params=["embedded", "neo4j"])
async def engine(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Endpoint]:
    """Yield a running graph engine: first the embedded one, then Neo4j."""
    home = tmp_path_factory.mktemp(request.param)
    if request.param == "embedded":
        async with embedded_engine(home, heap=HEAP, java_options=QUICK) as endpoint:
            yield endpoint
        return
    with ExitStack() as stack:
        try:
            endpoint = stack.enter_context(neo4j_server(os.environ, home, heap=HEAP, keep_plans=True))
        except NoNeo4jError as error:
            if os.environ.get("CI"):
                pytest.fail(str(error), pytrace=False)
            pytest.skip(str(error))
        yield endpoint


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def _session_store(engine: Endpoint, pytestconfig: pytest.Config) -> AsyncIterator[tuple[Store, AsyncDriver]]:
    auth = (engine.user, engine.password)
    contract = pytestconfig.pluginmanager.get_plugin("engine_contract")
    assert contract is not None
    async with (
        connect_store(engine, queries=contract.noted_queries(engine.kind)) as store,
        AsyncGraphDatabase.driver(engine.uri, auth=auth, notifications_min_severity="OFF") as driver,
    ):
        yield store, driver
        await _empty(driver, engine)


@pytest_asyncio.fixture(loop_scope="session")
async def store(engine: Endpoint, _session_store: tuple[Store, AsyncDriver]) -> Store:
    """Return a store on an empty database, with its schema present."""
    store, driver = _session_store
    await _empty(driver, engine)
    store.observe = None
    return store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def past_engine(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[PastEngine]:
    """Yield the engine for graphs of the past of all platforms; it starts if a test asks about the past."""
    settings = Settings(data=tmp_path_factory.mktemp("past"), engine_heap=HEAP)
    async with aclosing(PastEngine(settings)) as engine:
        yield engine


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def module_store(engine: Endpoint, _session_store: tuple[Store, AsyncDriver]) -> Store:
    """Return a store that is empty when a module begins: for a graph that all of its tests read."""
    store, driver = _session_store
    await _empty(driver, engine)
    store.observe = None
    return store


async def _empty(driver: AsyncDriver, engine: Endpoint) -> None:
    deleted = _AT_ONCE
    while deleted == _AT_ONCE:
        result = await driver.execute_query(_EMPTY, first=_AT_ONCE, database_=engine.database)
        deleted = result.records[0]["deleted"]
