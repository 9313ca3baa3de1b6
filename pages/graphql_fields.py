"""The page of GraphQL operations: the root fields with their arguments and types, from tests/schema.graphql."""

from pathlib import Path

from graphql import GraphQLObjectType, build_schema
from graphql.type import GraphQLField

_SCHEMA = Path(__file__).parents[1] / "tests" / "schema.graphql"

_INTRODUCTION = """\
# GraphQL operations

The fields of `Query`, `Mutation` and `Subscription`. [GraphQL](graphql.md) describes lists, limits and the interface
over HTTP. The playground at `/graphql` of a node shows every type and field, and
[`tests/schema.graphql`](../../tests/schema.graphql) has the whole schema. A field `…Connection` beside a list of A2AP
gives the same in pages. `make pages` writes this page from the schema.
"""


def graphql_page() -> str:
    """Return the page."""
    served = build_schema(_SCHEMA.read_text(encoding="utf-8"))
    parts = [_INTRODUCTION]
    for title, root in (
        ("Queries", served.query_type),
        ("Mutations", served.mutation_type),
        ("Subscriptions", served.subscription_type),
    ):
        assert isinstance(root, GraphQLObjectType)
        rows = "".join(_row(name, field) for name, field in sorted(root.fields.items()))
        parts.append(f"## {title}\n\n| field | arguments | type | |\n|---|---|---|---|\n{rows}")
    return "\n".join(parts)


def _row(name: str, field: GraphQLField) -> str:
    arguments = ", ".join(f"`{one}: {argument.type}`" for one, argument in field.args.items())
    meaning = " ".join((field.description or "").split()).replace("|", "\\|")
    return f"| `{name}` | {arguments} | `{field.type}` | {meaning} |\n"
