"""Runs a named query that only reads, and returns its rows: on Neo4j as one record.

The driver spends as much on each record as on fifty values of one, so that a page of wide rows costs a third if it
comes gathered. The embedded engine takes longer to gather rows than to send them.
"""

from __future__ import annotations

from typing import Any

import neo4j
from neo4j import AsyncSession

from cypher import Query
from graph.database.endpoint import EngineKind
from graph.database.rows_from_driver import native_row, native_rows


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
