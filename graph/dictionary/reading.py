"""Reads the dictionary's files: `nodes.toml` and `relationships.toml`, whose first lines describe their format."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from graph.dictionary.term import Column, Kind, Origin, Term

WITHHELD = Column("withheld", Kind.TEXT, "Why words were taken out for this reader, where they were.", "", Origin.NOTED)
"""The column that every table has beside its properties."""

_STATED = re.compile(
    r"(?P<kind>\w+(\[\])?)(\((?P<unit>[^)]+)\))?(?P<always>!)? (?P<origin>said|noted|derived): (?P<meaning>.+)"
)


@cache
def node_terms() -> Mapping[str, Term]:
    """Return the labels, in the order of the file."""
    return {name: _term(name, stated) for name, stated in _read("nodes.toml").items()}


@cache
def relationship_terms() -> Mapping[str, Term]:
    """Return the types of relationship, each with the properties that it has from every start."""
    return {name: _term(name, stated) for name, stated in _read("relationships.toml").items()}


@cache
def columns_from(type: str, start: str) -> tuple[Column, ...]:
    """Return the properties of a type of relationship that starts at a label."""
    own = _read("relationships.toml").get(type, {}).get(start, {})
    return (*relationship_terms()[type].columns, *_columns(f"{type}.{start}", own))


def starts_with_own(type: str) -> tuple[str, ...]:
    """Return the start labels at which relationships of a type have properties that others of the type lack."""
    return tuple(name for name, own in _read("relationships.toml")[type].items() if isinstance(own, dict))


@cache
def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((Path(__file__).parent / name).read_text(encoding="utf-8"))


def _term(name: str, stated: Mapping[str, Any]) -> Term:
    properties = {one: text for one, text in stated.items() if one != "is" and isinstance(text, str)}
    return Term(name, stated["is"], _columns(name, properties))


def _columns(name: str, stated: Mapping[str, str]) -> tuple[Column, ...]:
    return tuple(_column(f"{name}.{one}", one, text) for one, text in stated.items())


def _column(where: str, name: str, stated: str) -> Column:
    found = _STATED.fullmatch(stated)
    if found is None:
        raise ValueError(f"the dictionary says of {where} {stated!r}, not a kind, an origin and a meaning")
    return Column(
        name,
        Kind(found["kind"]),
        found["meaning"],
        found["unit"] or "",
        Origin(found["origin"]),
        is_always_there=found["always"] is not None,
    )
