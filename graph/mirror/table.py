"""A table of the mirror: the origin of its rows, its columns, and its references to the others."""

from dataclasses import dataclass

from graph.dictionary.term import Column, Kind

SQL_TYPES = {
    Kind.TEXT: "text",
    Kind.INTEGER: "bigint",
    Kind.FLOAT: "double precision",
    Kind.BOOLEAN: "boolean",
    Kind.TIME: "timestamptz",
    Kind.TEXTS: "text[]",
    Kind.INTEGERS: "bigint[]",
    Kind.FLOATS: "double precision[]",
}


@dataclass(frozen=True, slots=True)
class Link:
    """A column made from a relationship, instead of a table for it: every node of the table has at most one.

    `is_whole` says that exports of changes contain all relationships of the type again.
    """

    column: str
    type: str
    from_end: bool
    table: str
    meaning: str
    is_always_there: bool = False
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Edges:
    """The relationships that the rows of a table are made from: their types, and the column names of their ends.

    With several types the column `kind` has each row's type.
    """

    types: tuple[str, ...]
    start: str
    end: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Columns whose values are the key of a row of another table."""

    columns: tuple[str, ...]
    table: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table: made from the nodes of a label, from relationships, from another table, or from changes of scores.

    `left_out` are properties that another table has, one row for each.
    """

    name: str
    meaning: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    label: str | None = None
    edges: Edges | None = None
    links: tuple[Link, ...] = ()
    left_out: tuple[str, ...] = ()
    references: tuple[Reference, ...] = ()
    indexes: tuple[tuple[str, ...], ...] = ()

    @property
    def staged(self) -> tuple[Column, ...]:
        """Return the columns of incoming rows."""
        links = tuple(Column(link.column, Kind.TEXT, link.meaning) for link in self.links)
        return self.columns + links

    @property
    def kept(self) -> tuple[Column, ...]:
        """Return the columns of the table itself."""
        return tuple(column for column in self.staged if column.name not in self.left_out)

    @property
    def required(self) -> frozenset[str]:
        """Return the columns that are never null."""
        always = {column.name for column in self.columns if column.is_always_there}
        return frozenset(always | set(self.key) | {link.column for link in self.links if link.is_always_there})
