"""Copies the rows of an export into the tables of a step: `COPY`, one table after the other."""

import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from datetime import datetime
from typing import TYPE_CHECKING, Any

from a2ap.boundary import Boundary
from a2ap.log.growing_root import GrowingRoot
from a2ap.log.merkle import hash_leaf
from a2ap.times import parse_instant
from graph.dictionary.term import Kind
from graph.log.entry import entry_from_row
from graph.mirror.errors import MirrorError
from graph.mirror.schema import listed, quoted, stage_of, stage_of_link
from graph.mirror.table import Table
from graph.mirror.tables import SCORE_TABLES, links_of_types, mirror_tables, tables_of_labels, tables_of_types
from graph.past.score_replay import ScoreChange
from graph.transparency.graph_entries import leaf_of

if TYPE_CHECKING:
    from graph.mirror.database import Connection

    # The tables that psycopg copies into.
    Copy = Any

_NOT_TEXT = re.compile("[\x00\ud800-\udfff]")


def sql_value(value: Any, kind: Kind) -> Any:
    """Return a value of a `graph-ndjson` row for a column of a kind; None stays None."""
    if value is None:
        return None
    if kind.is_list:
        return [_item(item, kind) for item in value]
    if kind is Kind.TIME:
        return _time(value)
    return _item(value, kind)


def sql_text(text: str) -> str:
    """Return a text with U+FFFD for the characters that PostgreSQL cannot hold."""
    return text if text.isascii() and "\x00" not in text else _NOT_TEXT.sub("\ufffd", text)


def _item(value: Any, kind: Kind) -> Any:
    if kind in (Kind.TEXT, Kind.TEXTS):
        return sql_text(str(value))
    if kind in (Kind.FLOAT, Kind.FLOATS):
        return float(value)
    return value


def _time(value: Any) -> datetime:
    return parse_instant(value["datetime"], "a time") if isinstance(value, dict) else parse_instant(value, "a time")


_WAITING = 5_000  # changes of scores of one kind in memory


async def read_lines(pieces: AsyncIterator[bytes]) -> AsyncIterator[dict[str, Any]]:
    """Yield the rows of pieces that may end anywhere. Raises `MirrorError` if the last row is incomplete."""
    left = b""
    async for piece in pieces:
        *lines, left = (left + piece).split(b"\n")
        for line in lines:
            yield json.loads(line)
    if left:
        raise MirrorError("the rows of the graph break off")


class Stage:
    """The tables of one step as they fill, and the facts of the rows about the whole export.

    `tree` receives the entries of the log as they come; `replaced` names the tables of which all rows came.
    """

    def __init__(self, connection: "Connection", tree: GrowingRoot) -> None:
        self.tree = tree
        self.replaced: set[str] = set()
        self.clearance: Boundary | None = None
        self.is_settled = True
        self.rows = 0
        self._connection = connection
        self._stack = AsyncExitStack()
        self._into: tuple[str, tuple[str, ...]] | None = None
        self._copy: Copy = None

    async def fill(self, rows: AsyncIterator[dict[str, Any]]) -> None:
        """Copy the rows of an export."""
        async with self._stack:
            async for row in rows:
                if "node" in row:
                    await self._node(row["node"], row["properties"])
                elif "relationship" in row:
                    await self._relationship(row)
                elif "instead" in row:
                    self._note_replaced(row["instead"])
                elif "graph" in row:
                    self._begin(row["graph"])

    async def fill_scores(self, changes: AsyncIterator[ScoreChange]) -> None:
        """Copy changes of scores."""
        waiting: dict[str, list[Sequence[Any]]] = {kind: [] for kind in SCORE_TABLES}
        async with self._stack:
            async for change in changes:
                rows = waiting[change.kind]
                rows.append((change.name, change.log_size, *change.values))
                if len(rows) == _WAITING:
                    await self._write_scores(change.kind, rows)
            for kind, rows in waiting.items():
                await self._write_scores(kind, rows)

    async def _write_scores(self, kind: str, rows: list[Sequence[Any]]) -> None:
        (table,) = (one for one in mirror_tables() if one.name == SCORE_TABLES[kind])
        for row in rows:
            values = [sql_value(value, column.kind) for value, column in zip(row, table.columns, strict=True)]
            await self._write(stage_of(table), _names(table), values)
        rows.clear()

    def _begin(self, said: dict[str, Any]) -> None:
        self.clearance = Boundary(said["clearance"])
        self.is_settled = not said.get("unsettled", False)

    def _note_replaced(self, type: str) -> None:
        if type in tables_of_types():
            self.replaced.add(tables_of_types()[type].name)

    async def _node(self, label: str, properties: dict[str, Any]) -> None:
        if label == "LogEntry":
            self._add_entry(properties)
        elif label == "LogHead":
            self.is_settled = self.is_settled and properties.get("rescore_from") is None
        table = tables_of_labels().get(label)
        if table is not None:
            values = [sql_value(properties.get(column.name), column.kind) for column in table.columns]
            await self._write(stage_of(table), _names(table), values)

    async def _relationship(self, row: dict[str, Any]) -> None:
        type, start, end = row["relationship"], row["start"], row["end"]
        if type in links_of_types():
            table, link = links_of_types()[type]
            ends = (end, start) if link.from_end else (start, end)
            await self._write(stage_of_link(table, link), ("node", "other"), [sql_text(str(one)) for one in ends])
        table_of_type = tables_of_types().get(type)
        if table_of_type is None or table_of_type.edges is None:
            return
        edges = table_of_type.edges
        stated = {**row["properties"], edges.start: start, edges.end: end, "kind": type}
        columns = table_of_type.columns
        values = [sql_value(stated.get(column.name), column.kind) for column in columns]
        await self._write(stage_of(table_of_type), _names(table_of_type), values)

    def _add_entry(self, properties: dict[str, Any]) -> None:
        row = {name: _plain(value) for name, value in properties.items()}
        entry = entry_from_row(row)
        if entry.log_index != self.tree.size:
            raise MirrorError(f"entry {self.tree.size} of the log is missing; entry {entry.log_index} follows")
        self.tree.add(hash_leaf(leaf_of(entry)))

    async def _write(self, stage: str, names: tuple[str, ...], values: Sequence[Any]) -> None:
        if self._into != (stage, names):
            await self._stack.aclose()
            cursor = await self._stack.enter_async_context(self._connection.cursor())
            copying = f"COPY {quoted(stage)} ({listed(names)}) FROM STDIN"
            self._copy = await self._stack.enter_async_context(cursor.copy(copying.encode()))
            self._into = (stage, names)
        await self._copy.write_row(values)
        self.rows += 1


def _names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


def _plain(value: Any) -> Any:
    return parse_instant(value["datetime"]) if isinstance(value, dict) else value
