"""Runs named queries that only read, and returns their rows: on Neo4j each query's as one record.

The driver spends as much on each record as on fifty values of one, so that a page of wide rows costs a third if it
comes gathered. The embedded engine takes longer to gather rows than to send them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import neo4j
from neo4j import AsyncSession, Record

from cypher import Query
from cypher.joining import Joined, join, parameter_at
from graph.database.endpoint import EngineKind
from graph.database.rows_from_driver import native_dict, native_row, native_rows

Named = tuple[str, Mapping[str, Any]]
"""The name of a query, and its parameters."""


async def read_rows(
    session: AsyncSession, query: Query, parameters: dict[str, Any], kind: EngineKind, seconds: float | None
) -> list[dict[str, Any]]:
    """Return all rows in the query's order; the engine ends the query after `seconds`, if given."""
    gathered = query.gathered if kind == "neo4j" else None
    if gathered is None:
        result = await session.run(neo4j.Query(query.text, timeout=seconds), parameters)
        return [native_row(record) async for record in result]
    result = await session.run(neo4j.Query(gathered.text, timeout=seconds), parameters)
    return native_rows(await result.single(strict=True), gathered.columns)


def joined_read(queries: Sequence[Query], reads: Sequence[Named], kind: EngineKind) -> tuple[Joined, dict[str, Any]]:
    """Return these queries as one, and the parameters of this one."""
    parameters = {
        parameter_at(place, name): value for place, (_, given) in enumerate(reads) for name, value in given.items()
    }
    return join(tuple(query.text for query in queries), gathered=kind == "neo4j"), parameters


def rows_of_joined(joined: Joined, records: Iterable[Record]) -> list[list[dict[str, Any]]]:
    """Return the rows of each of the joined queries, in order."""
    found: list[list[dict[str, Any]]] = [[] for _ in joined.columns]
    for place, values in records:
        for row in values if joined.gathered else (values,):
            found[place].append(native_dict(joined.columns[place], row))
    return found
