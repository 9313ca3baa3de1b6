"""The mirror's tables as SQL: the statements that create and describe them.

Foreign keys are checked when a step ends, so that its rows may come in any order.
"""

import hashlib
from collections.abc import Iterator

from graph.dictionary.term import Column
from graph.mirror.table import SQL_TYPES, Link, Table
from graph.mirror.tables import mirror_tables

STATE_TABLE = "mirror"

STATE_MEANING = "The mirrored log, its size here, and the clearance of the reader: one row."
STATE_COLUMNS = {
    "single": ("boolean PRIMARY KEY DEFAULT true CHECK (single)", "Always true: there is one row."),
    "tables": ("text NOT NULL", "The hash that tells these tables from those of another version."),
    "log": ("text NOT NULL", "Whose log it is: the id of the node."),
    "log_size": ("bigint NOT NULL", "How many entries of the log are here."),
    "root_hash": ("text NOT NULL", "The root of their tree, in hexadecimal."),
    "subtrees": ("text[] NOT NULL", "The roots of its full subtrees, so that the tree can grow."),
    "checkpoint": ("text", "The note that the log signed of this tree, where it was at hand."),
    "clearance": ("text NOT NULL", "The clearance of the reader: words of sources of a stricter class are not here."),
    "settled": ("boolean NOT NULL", "Whether no scores were being worked out again while this was read."),
    "with_scores": ("boolean NOT NULL", "Whether scores over time are here."),
}
"""The columns of the state: the type and the meaning of each."""


def quoted(name: str) -> str:
    """Return a name as a quoted SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def listed(names: Iterator[str] | tuple[str, ...]) -> str:
    """Return quoted names, separated by commas."""
    return ", ".join(quoted(name) for name in names)


def stage_of(table: Table) -> str:
    """Return the name of the table that receives the rows of a step."""
    return f"stage_{table.name}"


def stage_of_link(table: Table, link: Link) -> str:
    """Return the name of the table that receives the relationships of a step from which a column is made."""
    return f"stage_{table.name}_{link.column}"


def creating() -> Iterator[str]:
    """Yield the statements that create all tables."""
    columns = ", ".join(f"{quoted(name)} {type}" for name, (type, _) in STATE_COLUMNS.items())
    yield f"CREATE TABLE {STATE_TABLE} ({columns})"
    for table in mirror_tables():
        yield _creating(table)
        for number, index in enumerate(table.indexes, start=1):
            yield f"CREATE INDEX {quoted(f'{table.name}_by_{number}')} ON {quoted(table.name)} ({listed(index)})"


def staging() -> Iterator[str]:
    """Yield the statements that create the temporary tables of a step."""
    for table in mirror_tables():
        columns = ", ".join(_column(column) for column in table.staged)
        yield f"CREATE TEMPORARY TABLE {quoted(stage_of(table))} ({columns}) ON COMMIT DROP"
        for link in table.links:
            stage = quoted(stage_of_link(table, link))
            yield f"CREATE TEMPORARY TABLE {stage} (node text, other text) ON COMMIT DROP"


def describing() -> Iterator[str]:
    """Yield the statements that write the meaning of every table and column as its comment."""
    yield f"COMMENT ON TABLE {STATE_TABLE} IS {_literal(STATE_MEANING)}"
    for name, (_, meaning) in STATE_COLUMNS.items():
        yield f"COMMENT ON COLUMN {STATE_TABLE}.{quoted(name)} IS {_literal(meaning)}"
    for table in mirror_tables():
        yield f"COMMENT ON TABLE {quoted(table.name)} IS {_literal(table.meaning)}"
        for column in table.kept:
            unit = f" ({column.unit})" if column.unit else ""
            named = f"{quoted(table.name)}.{quoted(column.name)}"
            yield f"COMMENT ON COLUMN {named} IS {_literal(column.meaning + unit)}"


def dropping() -> Iterator[str]:
    """Yield the statements that remove all tables, and any views on them."""
    for name in (STATE_TABLE, *(table.name for table in reversed(mirror_tables()))):
        yield f"DROP TABLE IF EXISTS {quoted(name)} CASCADE"


def tables_digest() -> str:
    """Return the version of these tables: a hash of the statements that create them."""
    return hashlib.sha256("\n".join(creating()).encode()).hexdigest()[:16]


def _creating(table: Table) -> str:
    parts = [_column(column, is_required=column.name in table.required) for column in table.kept]
    parts.append(f"PRIMARY KEY ({listed(table.key)})")
    parts += [
        f"FOREIGN KEY ({listed(reference.columns)}) REFERENCES {quoted(reference.table)} DEFERRABLE INITIALLY DEFERRED"
        for reference in table.references
    ]
    return f"CREATE TABLE {quoted(table.name)} ({', '.join(parts)})"


def _column(column: Column, *, is_required: bool = False) -> str:
    return f"{quoted(column.name)} {SQL_TYPES[column.kind]}{' NOT NULL' if is_required else ''}"


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
