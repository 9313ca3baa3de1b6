"""Queries whose rows are gathered into one: the same rows, the same order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neo4j import AsyncGraphDatabase

from cypher import load_query, query_names
from cypher.gathering import gather
from cypher.joining import join
from graph.database.endpoint import Endpoint
from graph.database.rows_from_driver import native_row, native_rows

INNER = "CALL () {\n  RETURN 1 AS one\n}\n"


@pytest.mark.parametrize(
    ("text", "gathered", "columns"),
    [
        ("RETURN 1 AS a", "WITH 1 AS a\nRETURN collect([a]) AS rows", ("a",)),
        (
            "RETURN DISTINCT f(x, 1) AS a, b\n",
            "WITH DISTINCT f(x, 1) AS a, b\nRETURN collect([a, b]) AS rows",
            ("a", "b"),
        ),
        (
            "MATCH (n)\nRETURN n {.limit, .b} AS a\nORDER BY n.skip LIMIT $first",
            "MATCH (n)\nWITH n {.limit, .b} AS a\nORDER BY n.skip LIMIT $first\nRETURN collect([a]) AS rows",
            ("a",),
        ),
        (
            INNER + "RETURN one, 'ORDER, BY' AS two, [x IN [1, 2] | x] AS three // , four\nSKIP 1",
            INNER + "WITH one, 'ORDER, BY' AS two, [x IN [1, 2] | x] AS three // , four\nSKIP 1\n"
            "RETURN collect([one, two, three]) AS rows",
            ("one", "two", "three"),
        ),
        ("RETURN *", None, ()),
        ("RETURN 1 AS a\nUNION\nRETURN 2 AS a", None, ()),
        ("MATCH (n) SET n.a = 1", None, ()),
        ("RETURN n.a", None, ()),
    ],
)
def test_rows_are_gathered_behind_the_last_clause(text: str, gathered: str | None, columns: tuple[str, ...]) -> None:
    found = gather(text)
    assert (found and found.text, found.columns if found else ()) == (gathered, columns)


def test_every_query_that_answers_can_be_gathered_but_unions() -> None:
    queries = [load_query(name) for name in query_names()]
    left = [one.name for one in queries if "\nRETURN" in one.text and one.gathered is None]
    assert all("\nUNION" in load_query(name).text for name in left)
    assert all(len(set(one.gathered.columns)) == len(one.gathered.columns) for one in queries if one.gathered)


@given(st.text())
def test_any_text_is_gathered_or_left(text: str) -> None:
    found = gather(text)
    assert found is None or found.columns


def test_joined_queries_keep_their_parameters_apart() -> None:
    texts = (
        "// One.\nUNWIND $x AS n\nRETURN n AS a, '$x' AS b\nORDER BY n // $x",
        "MATCH (m)\nRETURN DISTINCT m.x AS c",
    )
    joined = join(texts, gathered=False)
    first = "UNWIND $x_0 AS n\nWITH n AS a, '$x' AS b\nORDER BY n \nRETURN 0 AS place, [a, b] AS values"
    assert joined.text == f"{first}\nUNION ALL\nMATCH (m)\nWITH DISTINCT m.x AS c\nRETURN 1 AS place, [c] AS values"
    assert joined.columns == (("a", "b"), ("c",))
    assert join(texts[1:], gathered=True).text.endswith("RETURN 0 AS place, collect([c]) AS values")
    with pytest.raises(ValueError, match="has no final RETURN of its own"):
        join((*texts, "MATCH (n) SET n.a = 1"), gathered=False)


async def test_gathered_rows_are_the_rows(engine: Endpoint) -> None:
    text = (
        "UNWIND range(0, 9) AS n\nWITH n WHERE n % 2 = 0\n"
        "RETURN n AS n, CASE n WHEN 4 THEN null ELSE datetime({epochMillis: n}) END AS at, [n, null] AS some\n"
        "ORDER BY -n"
    )
    gathered = gather(text)
    assert gathered is not None
    auth = (engine.user, engine.password)
    async with (
        AsyncGraphDatabase.driver(engine.uri, auth=auth) as driver,
        driver.session(database=engine.database) as session,
    ):
        one_by_one = [native_row(record) async for record in await session.run(text)]
        together = native_rows(await (await session.run(gathered.text)).single(strict=True), gathered.columns)
        nothing = native_rows(
            await (await session.run(gathered.text.replace("range(0, 9)", "[]"))).single(strict=True), gathered.columns
        )
    assert together == one_by_one and nothing == []
    assert [row["n"] for row in together] == [8, 6, 4, 2, 0] and together[2]["at"] is None
