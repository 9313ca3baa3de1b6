"""What the dictionary says of a label, a type of relationship, or one of their properties."""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What the values of a column are."""

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
        """Say whether a value is a list."""
        return self.value.endswith("[]")


class Origin(StrEnum):
    """Where a value comes from: a signed message or a record, the node that took it in, or the log as a whole."""

    SAID = "said"
    NOTED = "noted"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Column:
    """A property: its name, what its values are, whether it is always there, and what it means."""

    name: str
    kind: Kind
    meaning: str = ""
    unit: str = ""
    origin: Origin = Origin.NOTED
    is_always_there: bool = False


@dataclass(frozen=True, slots=True)
class Term:
    """A label or a type of relationship, what it means, and its properties in their order."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
