"""Everything in the schema says what it is."""

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from graphql import GraphQLSchema, build_schema

from graph.graphql.enums import show_enum

SCHEMA = build_schema((Path(__file__).parent / "schema.graphql").read_text(encoding="utf-8"))


def silent(schema: GraphQLSchema) -> Iterator[str]:
    """Yield each name without a description: types, fields, arguments, values, and members of inputs."""
    for name, kind in schema.type_map.items():
        if name.startswith("__"):
            continue
        if not kind.description:
            yield name
        inner: dict[str, Any] = {**getattr(kind, "fields", {}), **getattr(kind, "values", {})}
        for member, field in inner.items():
            if not field.description:
                yield f"{name}.{member}"
            for argument, value in getattr(field, "args", {}).items():
                if not value.description:
                    yield f"{name}.{member}({argument})"


def test_everything_has_a_description() -> None:
    assert list(silent(SCHEMA)) == []


def test_what_has_none_is_named() -> None:
    schema = build_schema('"A." type Query { b(c: Int): D } enum D { E }')
    assert {"Query.b", "Query.b(c)", "D", "D.E"} <= set(silent(schema))


def test_a_value_without_a_sentence_is_an_error() -> None:
    class Gate(StrEnum):
        OPEN = "OPEN"
        CLOSED = "CLOSED"

    with pytest.raises(KeyError, match="CLOSED"):
        show_enum(Gate, {"OPEN": "Open."}, description="A gate.")
