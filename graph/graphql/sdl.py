"""Prints the schema: `python -m graph.graphql.sdl` (tests/schema.graphql pins what it says)."""

from strawberry.printer import print_schema

from graph.graphql.schema import create_schema
from graph.problem import Problem


def schema_definition() -> str:
    """Return the schema in GraphQL's schema definition language."""
    return print_schema(create_schema(_unused)) + "\n"


def _unused(error: Exception) -> Problem:
    raise error


if __name__ == "__main__":
    print(schema_definition(), end="")
