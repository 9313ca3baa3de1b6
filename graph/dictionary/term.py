"""Entries of the dictionary: a label, a type of relationship, or one of their properties."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """The kind of the values of a column."""

    TEXT = "text"
    INTEGER = "integer"
    FLOAT = "float"
    BOOLEAN = "boolean"
    TIME = "time"
    TEXTS = "text[]"
    INTEGERS = "integer[]"
    FLOATS = "float[]"

    @property
    def is_list(self) -> bool:
        """Return whether a value is a list."""
        return self.value.endswith("[]")


class Origin(StrEnum):
    """The origin of a value: a signed message or a record, the node that received it, or the log as a whole."""

    SAID = "said"
    NOTED = "noted"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Column:
    """A property: its name, the kind of its values, whether it is always present, and its meaning."""

    name: str
    kind: Kind
    meaning: str = ""
    unit: str = ""
    origin: Origin = Origin.NOTED
    is_always_there: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """A label or a type of relationship: its meaning, its properties in order, and the members of its section.

    `graph.dictionary.reading` explains these members.
    """

    name: str
    meaning: str
    columns: tuple[Column, ...]
    ends: tuple[str, str] = ("", "")
    export: str | None = None
    is_written_once: bool = False
    comes_with_statement: bool = False
    table: str | None = None
    indexes: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
