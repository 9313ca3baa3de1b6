"""The schema as a whole: what is pinned, what the specification asks for, and what a query may not do."""

from pathlib import Path

import pytest
import strawberry
from graphql import GraphQLSchema, build_schema
from graphql.utilities import find_breaking_changes

from graph.graphql.schema import create_schema
from graph.graphql.sdl import schema_definition
from graph.graphql.shape import MAX_ALIASES, MAX_DEPTH, MAX_TOKENS

PINNED = Path(__file__).with_name("schema.graphql")

# A2AP §5.1, with the two types that it names and does not define.
SPECIFIED = """
type Agent {
  id: ID!
  name: String!
  version: String!
  publisher: String!
  statements: [Statement!]!
  verifications: [Verification!]!
  reputation: Float!
}

type Statement {
  id: ID!
  claimText: String!
  confidence: Float!
  generatedBy: Agent!
  evidence: [Chunk!]!
  verifications: [Verification!]!
  consensusScore: Float!
  verified: Boolean!
}

type Chunk {
  id: ID!
  text: String!
  byteStart: Int!
  byteEnd: Int!
  document: Document!
  citedBy: [Statement!]!
}

type Query {
  # Find statements about a topic
  statementsAbout(topic: String!): [Statement!]!

  # Trace evidence chain
  evidenceChain(statementId: ID!): [Chunk!]!

  # Get agent reputation
  agentReputation(agentId: ID!): Float!

  # Find verified consensus
  consensusOn(topic: String!, minScore: Float!): [Statement!]!
}

type Document { id: ID! }
type Verification { id: ID! }
"""


@pytest.fixture(scope="module")
def schema() -> strawberry.Schema:
    return create_schema()


@pytest.fixture(scope="module")
def core_schema() -> GraphQLSchema:
    return build_schema(schema_definition())


def test_the_schema_is_the_pinned_one() -> None:
    assert schema_definition() == PINNED.read_text(encoding="utf-8"), "run `make schema` if that is meant"


def test_whoever_knows_the_specification_alone_can_ask(core_schema: GraphQLSchema) -> None:
    assert find_breaking_changes(build_schema(SPECIFIED), core_schema) == []


def test_every_type_and_root_field_is_described(core_schema: GraphQLSchema) -> None:
    types = [found for name, found in core_schema.type_map.items() if not name.startswith("__")]
    roots = [core_schema.query_type, core_schema.mutation_type]
    fields = {f"{root.name}.{name}": field for root in roots if root for name, field in root.fields.items()}
    assert [found.name for found in types if not found.description] == []
    assert [name for name, field in fields.items() if not field.description] == []


async def errors_of(schema: strawberry.Schema, query: str) -> list[tuple[str, str]]:
    result = await schema.execute(query)
    return [((error.extensions or {}).get("code", ""), error.message) for error in result.errors or []]


async def test_a_query_that_is_too_deep_is_refused(schema: strawberry.Schema) -> None:
    query = "{ agents { id } }"
    for _ in range(MAX_DEPTH):
        query = query.replace("{ id }", "{ endorsedBy { id } }")
    assert await errors_of(schema, query) == [("TOO_LARGE", f"the query is more than {MAX_DEPTH} fields deep")]


async def test_a_query_with_too_many_aliases_is_refused(schema: strawberry.Schema) -> None:
    query = "{" + " ".join(f"a{number}: __typename" for number in range(MAX_ALIASES + 1)) + "}"
    assert await errors_of(schema, query) == [("TOO_LARGE", f"the query has more than {MAX_ALIASES} aliases")]


async def test_a_query_with_too_many_tokens_is_refused(schema: strawberry.Schema) -> None:
    [(code, message)] = await errors_of(schema, "{" + " __typename" * MAX_TOKENS + "}")
    assert code == "INVALID_QUERY" and str(MAX_TOKENS) in message, message


@pytest.mark.parametrize("levels", [100, 350, 900])
async def test_a_query_hundreds_of_levels_deep_is_refused(schema: strawberry.Schema, levels: int) -> None:
    query = "{agents" + "{endorsedBy" * levels + "{id}" + "}" * levels + "}"
    [(code, message)] = await errors_of(schema, query)
    assert code in ("TOO_LARGE", "INVALID_QUERY") and "deep" in message


async def test_fragments_that_double_are_measured_and_not_expanded(schema: strawberry.Schema) -> None:
    fragments = [f"fragment f{n} on Query {{ ...f{n + 1} ...f{n + 1} }}" for n in range(49)]
    query = " ".join(["{ ...f0 }", *fragments, "fragment f49 on Query { a: __typename }"])
    # Expanded, these are 2**49 fields, and there would never be an answer.
    [(code, message)] = await errors_of(schema, query)
    assert code == "TOO_LARGE" and "fields, those of fragments counted where they are spread" in message


async def test_a_fragment_within_itself_is_refused(schema: strawberry.Schema) -> None:
    errors = await errors_of(schema, "{ ...f } fragment f on Query { __typename ...f }")
    assert [code for code, _ in errors] == ["INVALID_QUERY"]


async def test_an_unknown_field_is_the_askers_error(schema: strawberry.Schema) -> None:
    assert (await errors_of(schema, "{ password }"))[0][0] == "INVALID_QUERY"


async def test_introspection_is_allowed(schema: strawberry.Schema) -> None:
    result = await schema.execute("{ __schema { queryType { name } } }")
    assert result.errors is None and result.data == {"__schema": {"queryType": {"name": "Query"}}}
