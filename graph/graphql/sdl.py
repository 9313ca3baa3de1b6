"""Prints the schema: `python -m graph.graphql.sdl` (tests/schema.graphql is the expected output)."""

import strawberry
from strawberry.printer import print_schema

from graph.graphql.schema import create_schema


def schema_definition() -> str:
    """Return the schema in GraphQL's schema definition language."""
    return definition_of(create_schema())


def definition_of(schema: strawberry.Schema) -> str:
    """Return an existing schema in GraphQL's schema definition language."""
    return print_schema(schema) + "\n"


if __name__ == "__main__":
    print(schema_definition(), end="")
