"""The page docs/reference/dictionary.md: printed by `a2ap graph dictionary`, made by `make dictionary`."""

import re
from collections.abc import Iterator, Sequence

from graph.dictionary.access import EVERYBODY, OF_DESCRIBED, OF_RECORD, OF_SOURCE, seen_by
from graph.dictionary.indexes import found_by
from graph.dictionary.labels import EDGE_LABELS, NODE_KEYS, SOURCE_TEXTS
from graph.dictionary.reading import (
    WITHHELD,
    columns_from,
    node_terms,
    relationship_terms,
    starts_with_own,
)
from graph.dictionary.term import Column, Kind
from graph.export.csv_tables import CSV_TYPES
from graph.mirror.schema import STATE_COLUMNS, STATE_MEANING, STATE_TABLE
from graph.mirror.table import SQL_TYPES, Table
from graph.mirror.tables import mirror_tables, tables_of_labels, tables_of_types

CYPHER_TYPES = {
    Kind.TEXT: "STRING",
    Kind.INTEGER: "INTEGER",
    Kind.FLOAT: "FLOAT",
    Kind.BOOLEAN: "BOOLEAN",
    Kind.TIME: "ZONED DATETIME",
    Kind.TEXTS: "LIST<STRING>",
    Kind.INTEGERS: "LIST<INTEGER>",
    Kind.FLOATS: "LIST<FLOAT>",
}
PARQUET_TYPES = {
    Kind.TEXT: "string",
    Kind.INTEGER: "int64",
    Kind.FLOAT: "double",
    Kind.BOOLEAN: "bool",
    Kind.TIME: "timestamp[us, tz=UTC]",
    Kind.TEXTS: "list<string>",
    Kind.INTEGERS: "list<int64>",
    Kind.FLOATS: "list<double>",
}

_ABOUT = f"""# The data dictionary

Made by `make dictionary` from `graph/dictionary`; edit it there. `a2ap graph dictionary` prints it.
[The graph](graph.md) shows how the parts fit together, [exports](../how-to/exports.md) how files are written, and
[the mirror](../how-to/mirror.md) how its tables are kept.

**From.** `said`: by a signed message, or by a record of another format, as its author states it. `noted`: by this node,
on acceptance. `derived`: computed by this node from the log, so that it may change; `a2ap log rebuild` computes it
again.

**Seen by.** `{EVERYBODY}`: every reader of this node. `{OF_SOURCE}`: readers that are cleared for the
strictest source that the statement cites, or for the document itself; for others it is `""`, and
`{WITHHELD.name}` beside it gives the reason. `{OF_DESCRIBED}`: readers that are cleared for the document, or for
all documents under the name of the source; for others it is `""` as well. `{OF_RECORD}`: readers that are
cleared for the record; for others it is absent.

**Always.** A name with `!` is present in each visible row; in the mirror it is `NOT NULL`. Times are
in UTC, to the microsecond. Hashes are `sha256:` and 64 hexadecimal digits.
"""

_ENDS = """The two ends are the keys of the nodes: `:START_ID(Label)` and `:END_ID(Label)` in CSV, `start` and `end` in
Parquet.
"""


def dictionary_page() -> str:
    """Return the page."""
    return "\n".join((_ABOUT, *_types(), *_nodes(), *_edges(), *_tables())).rstrip("\n") + "\n"


def _types() -> Iterator[str]:
    yield "## Types\n"
    yield from _table(
        ("here", "in the graph", "CSV", "Parquet", "PostgreSQL"),
        [
            [_code(one[kind]) for one in ({kind: kind.value}, CYPHER_TYPES, CSV_TYPES, PARQUET_TYPES, SQL_TYPES)]
            for kind in Kind
        ],
    )


def _nodes() -> Iterator[str]:
    yield "## Nodes\n"
    for label, term in node_terms().items():
        yield f"### {label}\n"
        table = tables_of_labels().get(label)
        mirrored = f"; table {_link(table)} of the mirror" if table is not None else ""
        key = NODE_KEYS[label]
        yield f"{term.meaning} Key: `{key}`. Files: `nodes-{label}.csv`, `nodes-{label}.parquet`{mirrored}.\n"
        yield from _properties(label, (*term.columns, *_withheld(label)))


def _edges() -> Iterator[str]:
    yield "## Relationships\n"
    yield _ENDS
    for type, term in relationship_terms().items():
        start, end = (names.replace("|", "` or `") for names in EDGE_LABELS[type])
        yield f"### {type}\n"
        table = tables_of_types().get(type)
        mirrored = f" Table {_link(table)} of the mirror." if table is not None else ""
        yield f"{term.meaning} From `{start}` to `{end}`.{mirrored}\n"
        columns = (*columns_from(type, ""), *(c for one in starts_with_own(type) for c in columns_from(type, one)))
        if columns:
            yield from _properties(type, (*dict.fromkeys(columns), *_withheld(type)))


def _tables() -> Iterator[str]:
    yield "## Tables of the mirror\n"
    yield f"### `{STATE_TABLE}`\n"
    yield f"{STATE_MEANING}\n"
    stated = [[_code(name), re.split(" NOT| PRIMARY", type)[0], text] for name, (type, text) in STATE_COLUMNS.items()]
    yield from _table(("column", "type", "meaning"), stated)
    for table in mirror_tables():
        yield f"### `{table.name}`\n"
        yield f"{table.meaning} Key: {', '.join(_code(name) for name in table.key)}.{_references(table)}\n"
        rows = [
            [
                _code(column.name) + ("!" if column.name in table.required else ""),
                SQL_TYPES[column.kind],
                column.unit,
                column.origin.value if column != WITHHELD else "",
                _seen_by(table, column),
                column.meaning,
            ]
            for column in table.kept
        ]
        yield from _table(("column", "type", "unit", "from", "seen by", "meaning"), rows)


def _references(table: Table) -> str:
    found = [f"`{', '.join(one.columns)}` to `{one.table}`" for one in table.references]
    return f" Refers by {', '.join(found)}." if found else ""


def _seen_by(table: Table, column: Column) -> str:
    if table.edges is not None:
        return seen_by(table.edges.types[0], column.name)
    # The findings of a verdict are its parallel lists.
    return seen_by(table.label or "Verification", column.name if table.label else f"finding_{column.name}")


def _properties(name: str, columns: Sequence[Column]) -> Iterator[str]:
    rows = [
        [
            _code(column.name) + ("!" if column.is_always_there else ""),
            column.kind.value,
            column.unit,
            column.origin.value if column != WITHHELD else "",
            seen_by(name, column.name),
            found_by().get((name, column.name), ""),
            column.meaning,
        ]
        for column in columns
    ]
    yield from _table(("property", "type", "unit", "from", "seen by", "found by", "meaning"), rows)


def _withheld(name: str) -> tuple[Column, ...]:
    return (WITHHELD,) if name in SOURCE_TEXTS else ()


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"
    yield ""


def _link(table: Table) -> str:
    return f"[`{table.name}`](#{table.name})"


def _code(text: str) -> str:
    return f"`{text}`"
