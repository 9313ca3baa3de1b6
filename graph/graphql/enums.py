"""Enumerations of our own parts as the schema shows them: what each is, and what each of its values means."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import strawberry


def show_enum(enum: type[StrEnum], values: Mapping[str, str], *, description: str, name: str | None = None) -> None:
    """Make an enumeration one of the schema; every value has a sentence, and a KeyError says which has none."""
    strawberry.enum(enum, name=name, description=description)
    # Strawberry describes values by wrapping them where they are defined, which is in parts that know no GraphQL.
    shown: Any = enum
    for value in shown.__strawberry_definition__.values:
        value.description = values[value.name]
