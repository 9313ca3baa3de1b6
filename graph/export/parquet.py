"""The graph as Parquet: a file a label, and one a type of relationship between two labels, with typed columns.

Rules:

- A file's columns are those of `graph.export.columns`, nodes' keys first; a relationship begins with `start` and `end`,
  the keys of its ends. Times are microseconds in UTC. Absent values are null.
- A group of rows has up to 5,000, or as many as have 8 MiB of text: this is the bound on memory.
"""

import importlib.util
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from graph.dictionary.term import Column, Kind
from graph.errors import NotInstalledError
from graph.export.columns import columns_of_edge, columns_of_node
from graph.export.reader import ExportReader, FilePart

if TYPE_CHECKING:
    import pyarrow

ROWS = 5_000
_TEXT = 8 * 2**20  # characters


async def parquet(reader: ExportReader) -> AsyncIterator[FilePart]:
    """Yield the files, nodes first. Raises `NotInstalledError` if pyarrow is not installed."""
    if importlib.util.find_spec("pyarrow") is None:
        raise NotInstalledError("parquet needs pyarrow: install a2ap with the extra `tables`")
    file: _File | None = None
    async for name, columns, rows in _pages(reader):
        if file is None or file.name != name:
            for part in file.finish() if file is not None else ():
                yield part
            file = _File(name, columns)
        for part in file.write(rows):
            yield part
    for part in file.finish() if file is not None else ():
        yield part


async def _pages(reader: ExportReader) -> AsyncIterator[tuple[str, Sequence[Column], list[dict[str, Any]]]]:
    async for nodes in reader.nodes():
        yield f"nodes-{nodes.label}.parquet", columns_of_node(nodes.label), list(nodes.properties)
    ends = (Column("start", Kind.TEXT), Column("end", Kind.TEXT))
    async for edges in reader.edges():
        name = f"relationships-{edges.type}-{edges.start_label}-{edges.end_label}.parquet"
        rows = [{**edge.properties, "start": edge.start, "end": edge.end} for edge in edges.edges]
        yield name, (*ends, *columns_of_edge(edges.type, edges.start_label)), rows


class _File:
    """One file as it is written, and the rows of the group that is not full."""

    def __init__(self, name: str, columns: Sequence[Column]) -> None:
        # Loading it takes a while, and no other format needs it.
        import pyarrow
        import pyarrow.parquet

        self.name = name
        self._columns = columns
        self._schema = pyarrow.schema([(column.name, parquet_type(pyarrow, column.kind)) for column in columns])
        self._sink = _Sink()
        self._writer = pyarrow.parquet.ParquetWriter(self._sink, self._schema, compression="zstd")
        self._rows: list[dict[str, Any]] = []
        self._text = 0

    def write(self, rows: Sequence[dict[str, Any]]) -> Iterator[FilePart]:
        """Take rows in, and yield the parts of the file that are ready: its first bytes at once."""
        for row in rows:
            self._rows.append(row)
            self._text += sum(len(value) for value in row.values() if isinstance(value, (str, list)))
            if len(self._rows) == ROWS or self._text > _TEXT:
                self._write_group()
        yield from self._ready()

    def finish(self) -> Iterator[FilePart]:
        """Yield the rest of the file."""
        if self._rows:
            self._write_group()
        self._writer.close()
        yield from self._ready()

    def _write_group(self) -> None:
        import pyarrow

        columns = [
            pyarrow.array([row.get(column.name) for row in self._rows], type=self._schema.field(column.name).type)
            for column in self._columns
        ]
        self._writer.write_table(pyarrow.Table.from_arrays(columns, schema=self._schema), row_group_size=ROWS)
        self._rows, self._text = [], 0

    def _ready(self) -> Iterator[FilePart]:
        if content := self._sink.take():
            yield FilePart(self.name, content)


class _Sink:
    """A file that Parquet is written to: its bytes are taken away piece by piece."""

    closed = False

    def __init__(self) -> None:
        self._pieces: list[bytes] = []
        self._written = 0

    def write(self, data: bytes) -> int:
        """Keep a piece."""
        self._pieces.append(bytes(data))
        self._written += len(data)
        return len(data)

    def tell(self) -> int:
        """Return the number of bytes written."""
        return self._written

    def flush(self) -> None:
        """Do nothing: every piece is kept as it comes."""

    def take(self) -> bytes:
        """Return the bytes written since the last call."""
        content, self._pieces = b"".join(self._pieces), []
        return content


def parquet_type(pyarrow: Any, kind: Kind) -> "pyarrow.DataType":
    """Return the pyarrow type of a column."""
    types = {
        Kind.TEXT: pyarrow.string(),
        Kind.INTEGER: pyarrow.int64(),
        Kind.FLOAT: pyarrow.float64(),
        Kind.BOOLEAN: pyarrow.bool_(),
        Kind.TIME: pyarrow.timestamp("us", tz="UTC"),
        Kind.TEXTS: pyarrow.list_(pyarrow.string()),
        Kind.INTEGERS: pyarrow.list_(pyarrow.int64()),
        Kind.FLOATS: pyarrow.list_(pyarrow.float64()),
    }
    return types[kind]
