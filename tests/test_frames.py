"""Tables of answers, before a library sees them: what a query asks for, how it is paged, and what its rows are."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from graphql import build_schema, graphql_sync, parse
from hypothesis import given
from hypothesis import strategies as st

from a2ap.errors import FrameError
from a2ap.frames.cypher_answer import parts_of_answer
from a2ap.frames.parts import Kind
from a2ap.frames.schema import SCHEMA_QUERY, Schema, read_schema
from a2ap.frames.table import Table, table_of_answer, table_of_query

SDL = (Path(__file__).parent / "schema.graphql").read_text("utf-8")
TIME = datetime(2025, 10, 14, 10, 30, tzinfo=UTC)


@pytest.fixture(scope="module")
def schema() -> Schema:
    data = graphql_sync(build_schema(SDL), SCHEMA_QUERY).data
    assert data is not None
    return read_schema(data)


class Pages:
    """A platform that has some answers, one after another; `asked` are the texts that it got."""

    def __init__(self, *answers: Mapping[str, Any]) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []

    def __call__(self, text: str) -> Mapping[str, Any]:
        parse(text)
        self.asked.append(" ".join(text.split()))
        return self._answers.pop(0)


def table(
    schema: Schema, text: str, *answers: Mapping[str, Any], exploded: Sequence[str] = (), limit: int = 1_000
) -> Table:
    return table_of_query(Pages(*answers), text, schema, exploded, limit)


def shown(found: Table) -> tuple[dict[str, Kind], list[list[Any]]]:
    kinds = {column.name: column.part.kind for column in found.columns}
    return kinds, [[row[name] for name in kinds] for row in found.rows]


def page(nodes: Sequence[Any], cursor: str | None = None) -> dict[str, Any]:
    return {"nodes": nodes, "pageInfo": {"hasNextPage": cursor is not None, "endCursor": cursor}}


def test_nested_fields_are_typed_columns_with_dotted_names(schema: Schema) -> None:
    text = """{ statements { totalCount nodes {
      id claimText confidence verified generatedAt logIndex status
      by: generatedBy { name capabilities } ...Scored } } }
    fragment Scored on Statement { consensus { quorum ... on Consensus { published } } }"""
    node = {
        "id": "urn:x",
        "claimText": "2025-10-14T10:30:00Z",
        "confidence": 1,
        "verified": True,
        "generatedAt": "2025-10-14T10:30:00Z",
        "logIndex": 7,
        "status": "CURRENT",
        "by": {"name": "A", "capabilities": ["x", "y"]},
        "consensus": None,
    }

    kinds, rows = shown(table(schema, text, {"statements": page([node])}))

    assert kinds == {
        "id": Kind.TEXT,
        "claimText": Kind.TEXT,
        "confidence": Kind.NUMBER,
        "verified": Kind.TRUTH,
        "generatedAt": Kind.TIME,
        "logIndex": Kind.INTEGER,
        "status": Kind.CATEGORY,
        "by.name": Kind.TEXT,
        "by.capabilities": Kind.TEXT,
        "consensus.quorum": Kind.TRUTH,
        "consensus.published": Kind.TEXT,
    }
    assert rows == [["urn:x", node["claimText"], 1.0, True, TIME, 7, "CURRENT", "A", ["x", "y"], None, None]]
    assert isinstance(rows[0][2], float)


def test_an_empty_answer_has_its_columns(schema: Schema) -> None:
    text = "{ agents { edges { cursor node { name keys { status } } } } }"
    answer = {"agents": {"edges": [], "pageInfo": {"hasNextPage": False, "endCursor": None}}}
    found = table(schema, text, answer, exploded=["keys"])
    assert shown(found) == ({"cursor": Kind.TEXT, "name": Kind.TEXT, "keys.status": Kind.CATEGORY}, [])
    assert found.columns[-1].part.categories
    assert shown(table(schema, '{ agent(id: "x") { name } }', {"agent": None})) == ({"name": Kind.TEXT}, [])


def test_a_list_is_read_page_after_page(schema: Schema) -> None:
    pages = Pages(
        {"agents": page([{"name": "a"}, {"name": "b"}], "one")},
        {"agents": page([{"name": "c"}, {"name": "d"}], 'two"')},
        {"agents": page([{"name": "e"}])},
    )
    found = table_of_query(pages, "{ agents { nodes { name } } }", schema, (), 5)
    assert [row["name"] for row in found.rows] == ["a", "b", "c", "d", "e"]
    assert not found.more
    asked = "{ agents(first: 5PLACE) { nodes { name } pageInfo { hasNextPage endCursor } } }"
    assert pages.asked == [asked.replace("PLACE", place) for place in ("", ', after: "one"', ', after: "two\\""')]


def test_a_page_is_as_long_as_the_query_says_and_begins_where_it_says(schema: Schema) -> None:
    pages = Pages({"agents": page([{"name": "a"}], "b")}, {"agents": page([{"name": "c"}], "d")})
    text = 'query Q($n: Int = 1) { agents(filter: {name: "é"}, after: "z", first: $n) { nodes { name } } }'
    found = table_of_query(pages, text, schema, (), 2)
    assert (len(found.rows), found.more) == (2, True)
    one = text.replace("name } }", "name } pageInfo { hasNextPage endCursor } }")
    assert pages.asked == [one, one.replace('"z"', '"b"')]


def test_a_limit_cuts_what_a_page_has_more(schema: Schema) -> None:
    found = table(schema, "{ agents { nodes { name } } }", {"agents": page([{"name": "a"}, {"name": "b"}])}, limit=1)
    assert (len(found.rows), found.more) == (1, True)


STATEMENT = {
    "claimText": "It is so.",
    "citations": [{"quote": "so", "chunk": {"id": "c1"}}, {"quote": "is", "chunk": {"id": "c2"}}],
    "verifications": [],
}
LISTS = "{ statements { nodes { claimText citations { quote chunk { id } } verifications { verdict verifiedAt } } } }"


def test_a_list_of_objects_is_kept_flat_or_exploded_by_name(schema: Schema) -> None:
    answer = {"statements": page([STATEMENT])}
    kinds, rows = shown(table(schema, LISTS, answer))
    assert list(kinds) == ["claimText", "citations", "verifications"]
    assert rows == [["It is so.", [{"quote": "so", "chunk.id": "c1"}, {"quote": "is", "chunk.id": "c2"}], []]]

    kinds, rows = shown(table(schema, LISTS, answer, exploded=["citations"]))
    assert list(kinds) == ["claimText", "citations.quote", "citations.chunk.id", "verifications"]
    assert rows == [["It is so.", "so", "c1", []], ["It is so.", "is", "c2", []]]

    kinds, rows = shown(table(schema, LISTS, answer, exploded=["verifications"]))
    assert rows == [["It is so.", [{"quote": "so", "chunk.id": "c1"}, {"quote": "is", "chunk.id": "c2"}], None, None]]
    assert kinds["verifications.verdict"] is Kind.CATEGORY


def test_a_list_within_a_list_and_a_list_of_texts_are_exploded_as_well(schema: Schema) -> None:
    text = "{ agents { nodes { name capabilities verifications { findings { criterion } } } } }"
    verified = [{"findings": [{"criterion": "a"}, {"criterion": "b"}]}, {"findings": []}]
    answer = {"agents": page([{"name": "A", "capabilities": ["x", "y"], "verifications": verified}])}
    _, rows = shown(table(schema, text, answer, exploded=["verifications", "verifications.findings"]))
    assert rows == [["A", ["x", "y"], "a"], ["A", ["x", "y"], "b"], ["A", ["x", "y"], None]]
    _, rows = shown(table(schema, text, answer, exploded=["capabilities"]))
    assert [row[:2] for row in rows] == [["A", "x"], ["A", "y"]]


@pytest.mark.parametrize(
    ("exploded", "told"),
    [
        (["quotes"], "a row has no list 'quotes': it has citations, verifications"),
        (["claimText"], "a row has no list 'claimText'"),
        (["citations", "verifications"], "stand beside each other"),
    ],
)
def test_what_is_no_list_or_stands_beside_another_is_not_exploded(
    schema: Schema, exploded: list[str], told: str
) -> None:
    with pytest.raises(FrameError, match=told):
        table(schema, LISTS, exploded=exploded)


def test_a_connection_of_one_object_is_paged_where_it_is_exploded(schema: Schema) -> None:
    text = '{ agent(id: "a") { name statementsConnection { totalCount nodes { id } } } }'
    pages = Pages(
        {"agent": {"name": "A", "statementsConnection": {"totalCount": 2, **page([{"id": "s"}], "s")}}},
        {"agent": {"name": "A", "statementsConnection": {"totalCount": 2, **page([{"id": "t"}])}}},
    )
    found = table_of_query(pages, text, schema, ["statementsConnection"], 100)
    assert shown(found)[1] == [["A", "s", 2], ["A", "t", 2]]
    assert [column.name for column in found.columns] == [
        "name",
        "statementsConnection.id",
        "statementsConnection.totalCount",
    ]
    assert found.cut == ()


def test_a_list_in_a_row_that_goes_on_is_named(schema: Schema) -> None:
    text = "{ statements { nodes { id verificationsConnection%s { nodes { verdict } } } } }"
    node = {"id": "s", "verificationsConnection": page([{"verdict": "VALIDATED"}], "v")}
    found = table(schema, text % "", {"statements": page([node])})
    assert found.cut == ("verificationsConnection",)
    assert shown(found)[1] == [["s", [{"verdict": "VALIDATED"}]]]
    assert table(schema, text % "(first: 1)", {"statements": page([node])}).cut == ()


def test_one_value_is_a_table_too(schema: Schema) -> None:
    text = "{ agents { totalCount } }"
    assert shown(table(schema, text, {"agents": {"totalCount": 3}})) == ({"totalCount": Kind.INTEGER}, [[3]])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{ agents { nodes { name }", "cannot be read"),
        ("mutation { submit }", "one query"),
        ("query A { agents { totalCount } } query B { agents { totalCount } }", "one query"),
        ("{ agents { totalCount } statements { totalCount } }", "one field at the root"),
        ("{ __typename }", "one field at the root"),
        ("{ agents { nodes { nonsense } } }", "Agent has no field nonsense"),
        ("{ agents { nodes { ...F } } }", "no fragment F"),
        ("{ agents { nodes { id } edges { cursor } } }", "one of them"),
        ("{ agents(last: 3) { nodes { id } } }", "from its end"),
    ],
)
def test_what_no_table_can_be_made_of_is_refused(schema: Schema, text: str, told: str) -> None:
    with pytest.raises(FrameError, match=told):
        table(schema, text)


def test_a_platform_that_turns_no_page_is_found_out(schema: Schema) -> None:
    with pytest.raises(FrameError, match="no cursor"):
        table(schema, "{ agents { nodes { name } } }", *[{"agents": page([{"name": "a"}], "x")}] * 2)


def answer_of(kinds: Mapping[str, str], *rows: Sequence[Any], truncated: bool = False) -> dict[str, Any]:
    return {"columns": list(kinds), "kinds": list(kinds.values()), "rows": [*rows], "truncated": truncated}


def test_an_answer_in_cypher_has_the_kinds_that_the_platform_states() -> None:
    kinds = {"t": "time", "d": "time", "n": "number", "c": "number", "v": "scalar", "s": "scalar", "l": "list"}
    row = ["2025-10-14T10:30:00Z", "2025-10-14", 1.5, 2, True, "2025-10-14T10:30:00Z", ["a"]]
    found = table_of_answer(answer_of(kinds, row, [None] * 7), (), 10)
    assert shown(found) == (
        {
            "t": Kind.TIME,
            "d": Kind.TEXT,
            "n": Kind.NUMBER,
            "c": Kind.INTEGER,
            "v": Kind.TRUTH,
            "s": Kind.TEXT,
            "l": Kind.TEXT,
        },
        [[TIME, *row[1:]], [None] * 7],
    )
    empty = shown(table_of_answer(answer_of(kinds), (), 10))[0]
    assert [empty[name] for name in "tncs"] == [Kind.TIME, Kind.NUMBER, Kind.NUMBER, Kind.TEXT]


def test_nodes_of_an_answer_in_cypher_are_columns_and_lists_of_them_are_exploded() -> None:
    node, other = {"label": "Agent", "name": "A"}, {"label": "Agent", "reputation": 0.5}
    answer = answer_of({"a": "node", "l": "list"}, [node, [node, other]], [other, []], truncated=True)
    found = table_of_answer(answer, ["l"], 10)
    assert found.more
    assert shown(found) == (
        {
            "a.label": Kind.TEXT,
            "a.name": Kind.TEXT,
            "a.reputation": Kind.NUMBER,
            "l.label": Kind.TEXT,
            "l.name": Kind.TEXT,
            "l.reputation": Kind.NUMBER,
        },
        [
            ["Agent", "A", None, "Agent", "A", None],
            ["Agent", "A", None, "Agent", None, 0.5],
            ["Agent", None, 0.5, None, None, None],
        ],
    )


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
    max_leaves=10,
)


@given(
    st.lists(st.tuples(values, values), max_size=5),
    st.sampled_from(["number", "time", "scalar", "list", "map", "node", "any", "null"]),
)
def test_any_answer_is_a_table_with_a_value_in_each_place(rows: list[tuple[Any, Any]], kind: str) -> None:
    try:
        found = table_of_answer(answer_of({"x": kind, "y": "any"}, *rows), (), 100)
    except FrameError as error:
        assert "two columns" in str(error)
        return
    assert len(found.rows) == len(rows)
    names = [column.name for column in found.columns]
    assert all(list(row) == names for row in found.rows)
    assert parts_of_answer([], [], []) == ()
