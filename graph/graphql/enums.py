"""Enumerations of other packages in the schema, with a description of each enumeration and each value."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import strawberry


def show_enum(enum: type[StrEnum], values: Mapping[str, str], *, description: str, name: str | None = None) -> None:
    """Add an enumeration to the schema; raise KeyError for a value without a description."""
    strawberry.enum(enum, name=name, description=description)
    # Strawberry describes values by wrapping them where they are defined, which is in parts that know no GraphQL.
    shown: Any = enum
    for value in shown.__strawberry_definition__.values:
        value.description = values[value.name]
