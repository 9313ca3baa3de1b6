"""The store of an auditor: one embedded engine for all tests of a process, whichever modules they are in."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from graph.store import Store, scratch_store


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def auditor_store(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Store]:
    """Yield a store on an embedded engine beside the one under test."""
    async with scratch_store(tmp_path_factory.mktemp("auditor"), brief=True) as store:
        yield store
