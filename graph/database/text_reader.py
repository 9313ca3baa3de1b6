"""Runs checked queries of readers and models: as a read-only user if there is one, and within limits.

Rules:

- The session is in READ mode, which Neo4j enforces; the embedded engine ignores it, and there the user cannot write.
- Neo4j confirms by EXPLAIN that a query only reads before it runs.
- A query ends after its time, in the engine too (`graph.database.running`), and when its caller stops waiting.
- `MAX_AT_ONCE` run at once; the others wait, within their own time limit.
- Rows are read until they reach the limit of number or of size of one answer. The size of a row is known only after it
  has arrived: rows that may be long are requested a few at a time.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

import neo4j
from neo4j import AsyncDriver, AsyncSession, Record
from neo4j.exceptions import DriverError, Neo4jError

from graph.cypher_text.limits import MAX_ROWS
from graph.cypher_text.query import CheckedQuery
from graph.cypher_text.shapes import Kind
from graph.database.endpoint import Endpoint
from graph.database.running import RunningQueries, noted, seconds_for
from graph.database.store_errors import store_error
from graph.errors import (
    CypherTextError,
    GraphError,
    QueryTimeoutError,
    StorageFullError,
    StoreBusyError,
    StoreUnavailableError,
)

MAX_BYTES = 4 * 2**20
"""The maximum size of the rows of one answer, in bytes as JSON."""

MAX_AT_ONCE = 4
_ROWS_AT_ONCE = 20
_TEXTS_AT_ONCE = 4  # rows of so few columns that hold a text or a node each
_FEW_COLUMNS = 8
_SHORT = frozenset({Kind.NUMBER, Kind.TIME, Kind.DURATION, Kind.NULL})
_SINGLE = _SHORT | {Kind.SCALAR, Kind.NODE, Kind.RELATIONSHIP}
_GRACE = 0.5  # seconds in which the engine may end the query by itself
_LONGEST_REASON = 300

Values = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of plain values under their columns; `truncated` if there are more."""

    columns: tuple[str, ...]
    rows: tuple[Values, ...]
    truncated: bool


class TextReader:
    """Checked queries on one database. `engine_seconds` is the time limit of any query."""

    def __init__(self, driver: AsyncDriver, endpoint: Endpoint, *, engine_seconds: float) -> None:
        self._driver = driver
        self._endpoint = endpoint
        self._engine_seconds = engine_seconds
        self._room = asyncio.Semaphore(MAX_AT_ONCE)

    async def read(self, query: CheckedQuery, *, seconds: float, plain: Callable[[Any], Any]) -> Table:
        """Run a query for up to `seconds` and return its rows, each value converted by `plain`.

        Raises CypherTextError if the engine refuses the query or it takes too long, StoreUnavailableError.
        """
        seconds = seconds_for(min(seconds, self._engine_seconds))
        async with self._one_of_few(seconds):
            running = RunningQueries(seconds)
            with running.noting():
                task = asyncio.create_task(self._run(query, seconds, plain))
            try:
                done, _ = await asyncio.wait({task}, timeout=seconds + _GRACE)
            except asyncio.CancelledError:
                await running.end([task])
                raise
            if not done:
                await running.end([task])
                raise CypherTextError(f"the query took longer than {seconds:g} seconds")
            return task.result()

    async def _run(self, query: CheckedQuery, seconds: float, plain: Callable[[Any], Any]) -> Table:
        try:
            async with self._session(rows_at_once(query)) as session:
                with noted(session, self._endpoint):
                    await self._check_reads(session, query, seconds)
                    return await self._read(session, query, seconds, plain)
        except (DriverError, Neo4jError) as error:
            raise _refusal(store_error(error, "the query"), seconds) from error

    @asynccontextmanager
    async def _one_of_few(self, seconds: float) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(seconds):
                await self._room.acquire()
        except TimeoutError as error:
            raise StoreBusyError(f"{MAX_AT_ONCE} queries of readers run already") from error
        try:
            yield
        finally:
            self._room.release()

    @asynccontextmanager
    async def _session(self, at_once: int) -> AsyncIterator[AsyncSession]:
        session = self._driver.session(
            database=self._endpoint.database, default_access_mode=neo4j.READ_ACCESS, fetch_size=at_once
        )
        try:
            yield session
        except BaseException:
            # Rows that are still on their way are not waited for.
            session.cancel()
            raise
        finally:
            with suppress(DriverError, Neo4jError):
                await session.close()

    async def _check_reads(self, session: AsyncSession, query: CheckedQuery, seconds: float) -> None:
        if self._endpoint.kind != "neo4j":
            return
        result = await session.run(
            neo4j.Query(f"EXPLAIN {query.text}", timeout=seconds),
            dict(query.parameters),
        )
        summary = await result.consume()
        if summary.query_type != "r":
            raise CypherTextError("the graph database says that the query does more than read")

    async def _read(
        self, session: AsyncSession, query: CheckedQuery, seconds: float, plain: Callable[[Any], Any]
    ) -> Table:
        result = await session.run(
            neo4j.Query(query.text, timeout=seconds),
            dict(query.parameters),
        )
        rows: list[Values] = []
        size = 0
        async for record in result:
            row = _row(record, query.columns, plain)
            size += len(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace"))
            if len(rows) == MAX_ROWS or size > MAX_BYTES:
                await result.consume()
                return Table(query.columns, tuple(rows), truncated=True)
            rows.append(row)
        return Table(query.columns, tuple(rows), truncated=False)


def rows_at_once(query: CheckedQuery) -> int:
    """Return the number of rows of a query to request at once: all of them arrive before one is counted."""
    if _SHORT.issuperset(query.kinds):
        return _ROWS_AT_ONCE
    return _TEXTS_AT_ONCE if _SINGLE.issuperset(query.kinds) and len(query.columns) <= _FEW_COLUMNS else 1


def _row(record: Record, columns: tuple[str, ...], plain: Callable[[Any], Any]) -> Values:
    # The embedded engine leaves out the column of some expressions, such as a property of `head(collect(n))`.
    if absent := sorted(set(columns) - set(record.keys())):
        raise CypherTextError(f"the graph database gives no value for {absent[0][:_LONGEST_REASON]}; use WITH before")
    return tuple(plain(record[name]) for name in columns)


def _refusal(error: GraphError, seconds: float) -> Exception:
    if isinstance(error, QueryTimeoutError):
        return CypherTextError(f"the query took longer than {seconds:g} seconds")
    if isinstance(error, (StoreUnavailableError, StoreBusyError, StorageFullError)):
        return error
    told = str(error).strip().split("\n", 1)[0]
    return CypherTextError(f"the graph database does not take it: {told[:_LONGEST_REASON]}")
