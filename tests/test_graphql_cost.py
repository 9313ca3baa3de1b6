"""What an operation is estimated to cost: rows by `first`, lists and nesting."""

from pathlib import Path

import pytest
from graphql import build_schema, parse
from hypothesis import given
from hypothesis import strategies as st
from patience import PATIENT

from graph.graphql.cost import COUNT_SIZE, LIST_SIZE, ORDERED_SIZE, ROOT_SIZES, WRITE_SIZE, estimated_rows
from graph.lists.span import DEFAULT_PAGE, MAX_PAGE

SCHEMA = build_schema("""
  type Query {
    list(first: Int! = 20, after: Int): [Thing!]!
    page(first: Int = 50, last: Int, filter: [String!]): ThingConnection!
    all(first: Int, last: Int, orderBy: String): ThingConnection!
    several(ids: [ID!]!): [Thing]!
    one: Thing
    any: Node
    number: Int!
    numbers: [Int!]!
    statsOverTime(by: Int): Thing!
    consensusTimeline(first: Int): ThingConnection!
    path: Thing!
  }
  interface Node { id: ID! }
  type Thing implements Node {
    id: ID!
    name: String!
    tags: [String!]!
    parts: [Thing!]!
    parent: Thing
    path: Thing!
    some(first: Int! = 200): [Thing!]!
    others(first: Int = 200): ThingConnection!
  }
  type ThingConnection { edges: [ThingEdge!]! nodes: [Thing!]! pageInfo: PageInfo! totalCount: Int! }
  type ThingEdge { cursor: String! node: Thing! }
  type PageInfo { hasNextPage: Boolean! }
  type Mutation { change(documents: [String!]!): [Thing!]! }
  type Subscription { changes: Thing! }
""")


def cost(query: str, name: str | None = None, **variables: object) -> int:
    return estimated_rows(SCHEMA, parse(query), name, variables)


COSTS = {
    "{ number numbers __typename }": 0,
    "{ one { id name tags } }": 1,
    "{ one { parent { parent { id } } } }": 3,
    "{ list { id } }": 20,
    "{ list(first: 5) { id } }": 5,
    "{ list(first: 5) { parent { id } } }": 5 * 2,
    "{ list(first: 5) { some(first: 3) { id } } }": 5 * (1 + 3),
    # Nested, a default says only what a page may have at most.
    "{ list(first: 5) { some { id } } }": 5 * (1 + LIST_SIZE),
    "{ one { parts { parts { id } } } }": 1 + LIST_SIZE * (1 + LIST_SIZE),
    '{ several(ids: ["a", "b", "c"]) { id } }': 3,
    # A page is what `first` says, whatever it is read through.
    "{ page(first: 5) { nodes { id } } }": 5,
    "{ page(first: 5) { edges { node { id } cursor } pageInfo { hasNextPage } } }": 5,
    "{ page(first: 5) { edges { node { id } } nodes { name } totalCount } }": 5 + COUNT_SIZE,
    "{ page(first: 5) { totalCount } }": 5 + COUNT_SIZE,
    "{ list(first: 5) { others(first: 2) { totalCount } } }": 5 * (1 + 2 + COUNT_SIZE),
    "{ page(first: 5) { ...c } } fragment c on ThingConnection { totalCount }": 5 + COUNT_SIZE,
    "{ page(last: 7) { nodes { id } } }": 7,
    "{ page { nodes { id } } }": 50,
    "{ all { edges { node { id } } } }": DEFAULT_PAGE,
    "{ one { others { nodes { id } } } }": 1 + LIST_SIZE,
    "{ page(first: 5) { nodes { parent { id } } } }": 5 * 2,
    "{ page(first: 5) { edges { node { parent { id } } } } }": 5 * 2,
    "{ page(first: 5) { edges { node { parts { id } } } nodes { parent { id } } } }": 5 + 5 * LIST_SIZE + 5,
    "{ page(first: 5) { nodes { others(first: 4) { edges { node { parent { id } } } } } } }": 5 + 5 * (4 + 4),
    '{ page(first: 5, filter: ["a", "b"]) { nodes { id } } }': 5,
    # Fragments count where they are spread.
    "{ list(first: 5) { ...f } one { ...f } } fragment f on Thing { parent { id } }": 5 * 2 + 1 + 1,
    "{ page(first: 5) { ...p } } fragment p on ThingConnection { nodes { parent { id } } }": 5 * 2,
    "{ any { id ... on Thing { parent { id } } } }": 2,
    "{ list(first: 2) { ... { parent { id } } } }": 4,
    # What its resolver refuses costs as much as it could.
    "{ list(first: 100000) { id } }": MAX_PAGE,
    "{ list(first: -1) { id } }": 1,
    "{ __schema { types { fields { name } } } }": 0,
    'mutation { change(documents: ["a", "b"]) { parent { id } } }': 2 * (2 + WRITE_SIZE),
    "{ statsOverTime(by: 1) { id } }": 1 + ROOT_SIZES["statsOverTime"],
    "{ a: statsOverTime { id } b: statsOverTime { parts { id } } }": 2 * (1 + ROOT_SIZES["statsOverTime"]) + LIST_SIZE,
    "{ consensusTimeline(first: 9) { nodes { id } } }": 9 + ROOT_SIZES["consensusTimeline"],
    '{ all(first: 5, orderBy: "NAME") { nodes { id } } }': 5 + ORDERED_SIZE,
    "{ one { path { id } } path { id } }": 2 + 1 + ROOT_SIZES["path"],
    "subscription { changes { parts { id } } }": 1 + LIST_SIZE,
}


@pytest.mark.parametrize(("query", "rows"), COSTS.items(), ids=COSTS)
def test_an_operation_costs_the_rows_that_it_may_read(query: str, rows: int) -> None:
    assert cost(query) == rows


def test_what_counts_the_whole_log_weighs_or_walks_is_in_the_schema() -> None:
    query = build_schema((Path(__file__).parent / "schema.graphql").read_text("utf-8")).query_type
    assert query is not None and query.fields.keys() >= ROOT_SIZES.keys()


def test_variables_are_resolved() -> None:
    query = "query ($n: Int! = 3, $ids: [ID!]! = [1, 2]) { list(first: $n) { id } several(ids: $ids) { id } }"
    assert cost(query) == 3 + 2
    assert cost(query, n=7, ids=["a"]) == 7 + 1
    assert cost(query, n="many") == MAX_PAGE + 2
    # A variable that is null leaves the default of the field.
    assert cost("query ($n: Int) { page(first: $n) { nodes { id } } }", n=None) == 50


def test_the_operation_that_is_run_is_the_one_that_costs() -> None:
    query = "query a { list(first: 5) { id } } query b { list(first: 9) { id } }"
    assert (cost(query, "a"), cost(query, "b"), cost(query, "c"), cost(query)) == (5, 9, 0, 5)


def test_a_fragment_within_itself_costs_once() -> None:
    assert cost("{ one { ...f } } fragment f on Thing { parent { ...f } }") == 2


@given(st.lists(st.integers(1, MAX_PAGE), min_size=1, max_size=8), st.booleans())
@PATIENT
def test_nesting_multiplies_and_a_connection_costs_what_a_list_does(sizes: list[int], edges: bool) -> None:
    lists, pages = "id", "id"
    for place, size in enumerate(reversed(sizes)):
        last = place == len(sizes) - 1
        lists = f"{'list' if last else 'some'}(first: {size}) {{ {lists} }}"
        within = f"edges {{ node {{ {pages} }} }}" if edges else f"nodes {{ {pages} }}"
        pages = f"{'page' if last else 'others'}(first: {size}) {{ {within} }}"
    expected, rows = 0, 1
    for size in sizes:
        rows *= size
        expected += rows
    assert cost(f"{{ {lists} }}") == cost(f"{{ {pages} }}") == expected
