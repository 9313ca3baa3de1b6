"""The graph database: named queries through the official Neo4j driver, for either engine.

Rules:

- A query is named by its file in `cypher/` and gets exactly the parameters that it uses.
- A row is a dict of plain Python values; times are aware `datetime`s in UTC.
- `write` may call its work again: after a transient error, a collision with another writer, a lost leader. It never
  does after a commit whose answer was lost; that is `CommitUncertainError`, for the caller to judge.
- A store reads its own writes: bookmarks are passed along, on a cluster too.
- A read of an operation that has a time limit ends with the operation (`graph.database.running`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from secrets import token_hex
from typing import Any, Protocol, TypeVar

import neo4j
from neo4j import AsyncDriver, AsyncGraphDatabase, AsyncManagedTransaction, AsyncSession
from neo4j.exceptions import DriverError, Neo4jError

from cypher import Query, SchemaStatement, load_query, upgrade_statements
from graph.database.driver import driver_of
from graph.database.endpoint import Endpoint, EngineKind
from graph.database.pulse import Pulse
from graph.database.reading import Named, joined_read, read_rows, rows_of_joined
from graph.database.retrying import retried, time_limit
from graph.database.rows_from_driver import native_row
from graph.database.running import noted, seconds_for
from graph.database.schema import create_schema, run_statements
from graph.database.store_errors import store_error
from graph.database.text_reader import TextReader
from graph.engine.engine import embedded_engine
from graph.errors import CommitUncertainError, QueryTimeoutError, StoreSilentError
from graph.open_files import check_open_files
from graph.settings import Settings

T = TypeVar("T")
Row = dict[str, Any]
Observer = Callable[[str], None]
RowsObserver = Callable[[str, Mapping[str, Any]], None]

_IN_FORCE = {"write_policies": "current_policy", "write_epochs": "current_epoch"}
"""The queries that are asked again and again in one transaction, by the query that alone changes their answer."""

_FETCH_SIZE = 1000  # rows in flight while streaming
_KEPT_AT_ONCE = 200  # texts in one transaction


class Transaction:
    """One open write transaction; `run` is all that work can do with it."""

    __slots__ = ("_checked", "_in_force", "_kind", "_transaction")

    def __init__(
        self, transaction: AsyncManagedTransaction, checked: Callable[[str, Mapping[str, Any]], Query], kind: EngineKind
    ) -> None:
        self._transaction = transaction
        self._checked = checked
        self._kind = kind
        self._in_force: dict[str, list[Row]] = {}

    async def run(self, name: str, /, **parameters: Any) -> list[Row]:
        """Run a named query in this transaction and return all of its rows.

        The policy and epoch in force are read once, and again after the transaction has written another.
        """
        if name in self._in_force:
            return [dict(row) for row in self._in_force[name]]
        query = self._checked(name, parameters)
        try:
            result = await self._transaction.run(query.text, parameters)
            rows = [native_row(record) async for record in result]
        except (DriverError, Neo4jError) as error:
            raise store_error(error, name) from error
        if name in _IN_FORCE.values():
            self._in_force[name] = [dict(row) for row in rows]
        self._in_force.pop(_IN_FORCE.get(name, ""), None)
        return rows

    async def run_together(self, reads: Sequence[Named]) -> list[list[Row]]:
        """Run named queries that only read as one; return the rows of each, in the order of the queries."""
        joined, parameters = joined_read([self._checked(*one) for one in reads], reads, self._kind)
        try:
            result = await self._transaction.run(joined.text, parameters)
            return rows_of_joined(joined, [record async for record in result])
        except (DriverError, Neo4jError) as error:
            raise store_error(error, _names_of(reads)) from error


class Reads(Protocol):
    """A runner of named queries: a store, or one transaction of it through `InTransaction`."""

    async def read(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query and return its rows."""


class JointReads(Reads, Protocol):
    """A runner of named queries that runs several in one round trip."""

    async def read_together(self, reads: Sequence[Named]) -> list[list[dict[str, Any]]]:
        """Run named queries as one and return the rows of each, in the order of the queries.

        It is not certain which of them is run first.
        """


class InTransaction:
    """A transaction as a reader; of reads made at the same time, one waits for the other."""

    def __init__(self, transaction: Transaction) -> None:
        self._transaction = transaction
        self._turn = asyncio.Lock()

    async def read(self, name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """Run a named query in the transaction and return its rows."""
        async with self._turn:
            return await self._transaction.run(name, **parameters)

    async def read_together(self, reads: Sequence[Named]) -> list[list[dict[str, Any]]]:
        """Run named queries as one in the transaction and return the rows of each."""
        if not reads:
            return []
        async with self._turn:
            return await self._transaction.run_together(reads)


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
        texts: TextReader,
        pulse: Pulse,
    ) -> None:
        self.observe = observe
        self.observe_rows: RowsObserver | None = None
        self.texts = texts
        self.pulse = pulse
        self._driver = driver
        self._endpoint = endpoint
        self._timeout = timeout
        self._queries = queries
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()
        # Making a session takes a quarter of the time of a small read. An idle one holds no connection.
        self._idle: dict[str, list[AsyncSession]] = {neo4j.READ_ACCESS: [], neo4j.WRITE_ACCESS: []}

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
            seconds = seconds_for(self._timeout)
            with noted(session, self._endpoint):
                async with time_limit(name, self._timeout, self.pulse):
                    return await read_rows(session, query, parameters, self.kind, seconds)

        return await self._retried(name, neo4j.READ_ACCESS, attempt)

    async def read_together(self, reads: Sequence[Named]) -> list[list[Row]]:
        """Run named queries that only read as one, in one round trip; return the rows of each, in order of the queries.

        It is not certain which of them is run first.
        """
        if not reads:
            return []
        names = _names_of(reads)
        joined, parameters = joined_read([self._checked(*one) for one in reads], reads, self.kind)

        async def attempt(session: AsyncSession) -> list[list[Row]]:
            seconds = seconds_for(self._timeout)
            with noted(session, self._endpoint):
                async with time_limit(names, self._timeout, self.pulse):
                    result = await session.run(neo4j.Query(joined.text, timeout=seconds), parameters)
                    return rows_of_joined(joined, [record async for record in result])

        return await self._retried(names, neo4j.READ_ACCESS, attempt)

    async def stream(self, name: str, /, **parameters: Any) -> AsyncGenerator[Row, None]:
        """Yield the rows of a named query that only reads, as they arrive; it is never tried again.

        The time limit of a query covers the whole stream, so long streams are read in pages.
        """
        query = self._checked(name, parameters)
        try:
            async with self._session(neo4j.READ_ACCESS) as session:
                result = await session.run(neo4j.Query(query.text, timeout=self._timeout), parameters)
                async for record in result:
                    yield native_row(record)
        except (DriverError, Neo4jError) as error:
            raise store_error(error, name) from error

    async def write(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work` in one transaction, commit, and return its result.

        The transaction is rolled back if `work` raises. `work` may be called several times, each time in a transaction
        of its own, so its effects outside of the transaction must be repeatable. Raises StoreBusyError if writers
        collide too often, and CommitUncertainError if the commit may have happened or not.
        """

        worked = False

        @neo4j.unit_of_work(timeout=self._timeout)
        async def unit(transaction: AsyncManagedTransaction) -> T:
            nonlocal worked
            result = await work(Transaction(transaction, self._checked, self.kind))
            worked = True
            return result

        async def attempt(session: AsyncSession) -> T:
            try:
                async with time_limit("a transaction", self._timeout, self.pulse):
                    return await session.execute_write(unit)
            except (QueryTimeoutError, StoreSilentError) as error:
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

    async def define(self, statements: Sequence[SchemaStatement]) -> None:
        """Run statements of the schema that could not be known at the start; each must be repeatable."""
        try:
            await run_statements(self._driver, self._endpoint, statements)
        except (DriverError, Neo4jError) as error:
            raise store_error(error, "a statement of the schema") from error

    def _checked(self, name: str, parameters: Mapping[str, Any]) -> Query:
        query = self._queries(name)
        query.check_parameters(parameters)
        if self.observe is not None:
            self.observe(name)
        if self.observe_rows is not None:
            self.observe_rows(name, parameters)
        return query

    def _session(self, access_mode: str) -> AsyncSession:
        return self._driver.session(
            database=self._endpoint.database,
            default_access_mode=access_mode,
            bookmark_manager=self._bookmarks,
            fetch_size=_FETCH_SIZE,
        )

    async def _retried(self, what: str, access_mode: str, work: Callable[[AsyncSession], Awaitable[T]]) -> T:
        idle = self._idle[access_mode]

        async def attempt() -> T:
            async with AsyncExitStack() as stack:
                session = idle.pop() if idle else self._session(access_mode)
                # Closed after an error, or a cancellation.
                await stack.enter_async_context(session)
                result = await work(session)
                stack.pop_all()
            idle.append(session)
            return result

        return await retried(what, attempt)

    async def close(self) -> None:
        """Close the idle sessions."""
        for idle in self._idle.values():
            while idle:
                await idle.pop().close()


@asynccontextmanager
async def open_store(settings: Settings, observe: Observer | None = None) -> AsyncIterator[Store]:
    """Yield the store that the settings name: Neo4j if there is a URI, otherwise the embedded engine."""
    if settings.neo4j_uri is None:
        async with (
            embedded_engine(
                settings.data,
                heap=settings.engine_heap,
                timeout=settings.query_timeout,
                java_options=settings.engine_options,
            ) as endpoint,
            connect_store(endpoint, observe=observe, timeout=settings.query_timeout) as store,
        ):
            yield store
        return
    check_open_files()
    endpoint = Endpoint(
        uri=settings.neo4j_uri,
        user=settings.neo4j_user,
        password=settings.neo4j_password or "",
        database=settings.neo4j_database,
        kind="neo4j",
        reader_user=settings.neo4j_reader_user,
        reader_password=settings.neo4j_reader_password,
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
    # Drivers connect when they are first used: nobody who asks no query of their own has the reader log in.
    async with driver_of(endpoint, endpoint.user, endpoint.password) as driver, AsyncExitStack() as stack:
        try:
            await driver.verify_connectivity()
            await create_schema(driver, endpoint)
        except (DriverError, Neo4jError) as error:
            raise store_error(error, endpoint.uri) from error
        # Queries of readers have connections of their own, under whichever user: the platform's never wait for one.
        user, password = endpoint.user, endpoint.password
        if endpoint.reader_user is not None:
            user, password = endpoint.reader_user, endpoint.reader_password or ""
        reading = await stack.enter_async_context(driver_of(endpoint, user, password))
        texts = TextReader(reading, endpoint, engine_seconds=timeout)
        pulse = Pulse(await stack.enter_async_context(driver_of(endpoint, endpoint.user, endpoint.password)))
        store = Store(driver, endpoint, observe=observe, timeout=timeout, queries=queries, texts=texts, pulse=pulse)
        # The queries of an upgrade are the product's, whatever queries the store is for.
        own = Store(driver, endpoint, observe=None, timeout=timeout, queries=load_query, texts=texts, pulse=pulse)
        for one in (store, own):
            stack.push_async_callback(one.close)
        try:
            await _keep_texts_by_class(own, driver)
        except (DriverError, Neo4jError) as error:
            raise store_error(error, endpoint.uri) from error
        yield store


@asynccontextmanager
async def scratch_store(
    folder: Path, *, heap: str = "512m", timeout: float = 300.0, brief: bool = False
) -> AsyncIterator[Store]:
    """Yield a store on an empty embedded engine in a folder of its own; `brief` if it has little to do."""
    async with (
        embedded_engine(folder, heap=heap, timeout=timeout, brief=brief) as endpoint,
        connect_store(endpoint, timeout=timeout) as store,
    ):
        yield store


def _names_of(reads: Sequence[Named]) -> str:
    return ", ".join(name for name, _ in reads)


async def _keep_texts_by_class(store: Store, driver: AsyncDriver) -> None:
    """Store the search texts of a database that an earlier version has left, and make the indexes of each class.

    The indexes come last: if they exist, all texts have been stored.
    """
    check, after = (upgrade_statements(store.kind, "texts", step) for step in ("check", "after"))
    if await run_statements(driver, store.endpoint, check):
        return
    for found, name, written in (
        ("passages_after", "chunk_key", "write_search_passages"),
        ("titles_after", "document_hash", "write_search_titles"),
    ):
        last = ""
        while rows := await store.read(found, after=last, first=_KEPT_AT_ONCE):
            await store.write(partial(_keep_texts, query=written, rows=rows))
            last = rows[-1][name]
    await run_statements(driver, store.endpoint, after)


async def _keep_texts(transaction: Transaction, query: str, rows: list[Row]) -> None:
    # Under the lock of the log: another command may make the class of a document stricter meanwhile.
    await transaction.run("lock_log_head", nonce=token_hex(8))
    await transaction.run(query, rows=rows)
