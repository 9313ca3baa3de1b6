"""The graph database: named queries through the official Neo4j driver, whichever engine answers.

Rules:

- A query is named by its file in `cypher/` and gets exactly the parameters that it uses.
- A row is a dict of plain Python values; times are aware `datetime`s in UTC.
- `write` may call its work again: after a transient error, a collision with another writer, a lost leader. It
  never does after a commit whose answer was lost; that is `CommitUncertainError`, for the caller to judge.
- What one store has written, the same store reads: bookmarks are passed along, on a cluster too.
"""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import neo4j
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, AsyncSession
from neo4j.exceptions import DriverError, Neo4jError

from cypher import Query, load_query
from graph.database.endpoint import Endpoint, EngineKind
from graph.database.rows_from_driver import native_row
from graph.database.schema import create_schema
from graph.database.store_errors import attempts_for, store_error
from graph.engine.engine import embedded_engine
from graph.errors import CommitUncertainError, QueryTimeoutError, StoreError
from graph.settings import Settings

T = TypeVar("T")
Row = dict[str, Any]
Observer = Callable[[str], None]

_log = logging.getLogger(__name__)

_FIRST_DELAY = 0.01  # seconds
_LONGEST_DELAY = 1.0  # seconds
_GRACE = 10.0  # seconds between the engine giving up and us giving up on the engine
_FETCH_SIZE = 1000  # rows in flight while streaming


class Transaction:
    """One open write transaction; `run` is all that work can do with it."""

    __slots__ = ("_checked", "_transaction")

    def __init__(self, transaction: AsyncManagedTransaction, checked: Callable[..., Query]) -> None:
        self._transaction = transaction
        self._checked = checked

    async def run(self, name: str, /, **parameters: Any) -> list[Row]:
        """Run a named query in this transaction and return all of its rows."""
        query = self._checked(name, parameters)
        try:
            result = await self._transaction.run(query.text, parameters)
            return [native_row(record) async for record in result]
        except (DriverError, Neo4jError) as error:
            raise store_error(error, name) from error


class Store:
    """Named queries on one database. Made by `open_store` or `connect_store`."""

    def __init__(
        self,
        driver: AsyncDriver,
        endpoint: Endpoint,
        *,
        observe: Observer | None,
        timeout: float,
        queries: Callable[[str], Query],
    ) -> None:
        self.observe = observe
        self._driver = driver
        self._endpoint = endpoint
        self._timeout = timeout
        self._queries = queries
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()

    @property
    def endpoint(self) -> Endpoint:
        """Return the database that this store speaks to."""
        return self._endpoint

    @property
    def kind(self) -> EngineKind:
        """Say which engine answers: `neo4j` or `embedded`."""
        return self._endpoint.kind

    async def read(self, name: str, /, **parameters: Any) -> list[Row]:
        """Run a named query that only reads and return all of its rows, in the query's order."""
        query = self._checked(name, parameters)

        async def attempt(session: AsyncSession) -> list[Row]:
            async with self._time_limit(name):
                result = await session.run(neo4j.Query(query.text, timeout=self._timeout), parameters)
                return [native_row(record) async for record in result]

        return await self._retried(name, neo4j.READ_ACCESS, attempt)

    async def stream(self, name: str, /, **parameters: Any) -> AsyncIterator[Row]:
        """Yield the rows of a named query that only reads, as they arrive; never tried again.

        On the embedded engine the time limit of a query is that of the whole stream, so long ones go by pages.
        """
        query = self._checked(name, parameters)
        try:
            async with self._session(neo4j.READ_ACCESS) as session:
                result = await session.run(query.text, parameters)
                async for record in result:
                    yield native_row(record)
        except (DriverError, Neo4jError) as error:
            raise store_error(error, name) from error

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work` in one transaction, commit, and return its result.

        The transaction is rolled back where `work` raises. It may be called several times, each time in a
        transaction of its own, so what it does outside of the transaction must bear repeating. Raises
        StoreBusyError where writers collide too often, and CommitUncertainError where the commit may have
        happened or not.
        """

        worked = False

        @neo4j.unit_of_work(timeout=self._timeout)
        async def unit(transaction: AsyncManagedTransaction) -> T:
            nonlocal worked
            result = await work(Transaction(transaction, self._checked))
            worked = True
            return result

        async def attempt(session: AsyncSession) -> T:
            try:
                async with self._time_limit("a transaction"):
                    return await session.execute_write(unit)
            except QueryTimeoutError as error:
                if worked:
                    raise CommitUncertainError("a commit was not answered in time") from error
                raise

        return await self._retried("a transaction", neo4j.WRITE_ACCESS, attempt)

    async def explain(self, name: str, /, **parameters: Any) -> Mapping[str, Any]:
        """Return the engine's plan for a named query, without running it; parameters may be left out."""
        query = self._queries(name)

        async def attempt(session: AsyncSession) -> Mapping[str, Any]:
            result = await session.run(query.explain_text, parameters)
            return (await result.consume()).plan or {}

        return await self._retried(name, neo4j.WRITE_ACCESS, attempt)

    def _checked(self, name: str, parameters: Mapping[str, Any]) -> Query:
        query = self._queries(name)
        query.check_parameters(parameters)
        if self.observe is not None:
            self.observe(name)
        return query

    def _session(self, access_mode: str) -> AsyncSession:
        return self._driver.session(
            database=self._endpoint.database,
            default_access_mode=access_mode,
            bookmark_manager=self._bookmarks,
            fetch_size=_FETCH_SIZE,
        )

    @asynccontextmanager
    async def _time_limit(self, what: str) -> AsyncIterator[None]:
        # The engine gives up by itself; this is for one that does not answer any more.
        try:
            async with asyncio.timeout(self._timeout + _GRACE) as limit:
                yield
        except TimeoutError as error:
            if not limit.expired():
                raise
            raise QueryTimeoutError(f"{what} was not answered within {self._timeout:g} seconds") from error

    async def _retried(self, what: str, access_mode: str, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        attempt = 0
        while True:
            try:
                async with self._session(access_mode) as session:
                    return await work(session)
            except (DriverError, Neo4jError, StoreError) as error:
                failure = error if isinstance(error, StoreError) else store_error(error, what)
                attempt += 1
                if attempt >= attempts_for(failure):
                    raise failure from (failure.__cause__ or error)
                delay = random.uniform(0, min(_LONGEST_DELAY, _FIRST_DELAY * 2**attempt))
                _log.debug("%s is tried again in %.3f s: %s", what, delay, failure)
            await asyncio.sleep(delay)


@asynccontextmanager
async def open_store(settings: Settings, observe: Observer | None = None) -> AsyncIterator[Store]:
    """Yield the store that the settings name: Neo4j where there is a URI, otherwise the embedded engine."""
    if settings.neo4j_uri is None:
        async with (
            embedded_engine(settings.data, heap=settings.engine_heap, timeout=settings.query_timeout) as endpoint,
            connect_store(endpoint, observe=observe, timeout=settings.query_timeout) as store,
        ):
            yield store
        return
    endpoint = Endpoint(
        uri=settings.neo4j_uri,
        user=settings.neo4j_user,
        password=settings.neo4j_password or "",
        database=settings.neo4j_database,
        kind="neo4j",
    )
    async with connect_store(endpoint, observe=observe, timeout=settings.query_timeout) as store:
        yield store


@asynccontextmanager
async def connect_store(
    endpoint: Endpoint,
    *,
    observe: Observer | None = None,
    timeout: float = 60.0,
    queries: Callable[[str], Query] = load_query,
) -> AsyncIterator[Store]:
    """Yield a store on a running database, with its schema present; `timeout` is seconds a transaction."""
    async with AsyncGraphDatabase.driver(
        endpoint.uri,
        auth=(endpoint.user, endpoint.password),
        max_transaction_retry_time=0,  # the store retries by itself
        telemetry_disabled=True,
        warn_notification_severity=neo4j.NotificationMinimumSeverity.OFF,
        notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
    ) as driver:
        try:
            await driver.verify_connectivity()
            await create_schema(driver, endpoint)
        except (DriverError, Neo4jError) as error:
            raise store_error(error, endpoint.uri) from error
        yield Store(driver, endpoint, observe=observe, timeout=timeout, queries=queries)
