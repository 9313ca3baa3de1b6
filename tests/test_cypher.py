"""The query files: how they are read, that both engines understand them, and that queries are nowhere else."""

from __future__ import annotations

import ast
import re
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from neo4j import AsyncGraphDatabase

from cypher import load_query, parse_query, query_names, schema_statements
from graph.database.endpoint import Endpoint
from graph.store import connect_store

ROOT = Path(__file__).parent.parent
PARAMETER_MISSING = "01N60"  # the GQL status of a parameter that was not given
CYPHER_TEXT = re.compile(r"\b(MATCH|MERGE|CREATE|OPTIONAL MATCH)\s*\(|\bUNWIND\s+[$\w]|\bDETACH DELETE\b")


def test_a_query_is_its_file() -> None:
    query = load_query("log_size")
    assert query.name == "log_size"
    assert query.doc.endswith(".")
    assert query.text.startswith(f"// {query.doc}\n")
    assert load_query("log_size") is query


@pytest.mark.parametrize(
    "name", ["", "no_such_query", "../schema/common", "schema/common", "log_size.cypher", "Log_Size"]
)
def test_another_name_names_no_query(name: str) -> None:
    with pytest.raises(LookupError):
        load_query(name)


@pytest.mark.parametrize(
    ("text", "parameters"),
    [
        ("RETURN $a AS a, $b_2 AS b, $a AS c", {"a", "b_2"}),
        ("RETURN 1 AS one", set()),
        ("RETURN '$a' AS a, \"$b\" AS b, `$c` AS c FROM $d", {"d"}),
        (r"RETURN 'it\'s $a' AS a, $b AS b", {"b"}),
        (r"RETURN '\\' AS a, $b AS b, '' AS c", {"b"}),
        ('RETURN "\'" AS a, $b AS b, "\'" AS c', {"b"}),
        ("RETURN 1 AS a // $b 'c\n, $d AS d", {"d"}),
        ('RETURN 1 AS a /* $b " \n */ , $c AS c', {"c"}),
        ("RETURN 'http://x/$a' AS a, $b AS b", {"b"}),
        ("RETURN `a``$b` AS a, $c AS c", {"c"}),
        ("RETURN n.price + $tax AS x", {"tax"}),
    ],
)
def test_parameters_are_found_outside_of_strings_and_comments(text: str, parameters: set[str]) -> None:
    assert parse_query("some", f"// What it answers.\n{text}\n").parameters == parameters


@given(
    parts=st.lists(
        st.one_of(
            st.sampled_from(["$x", "$yy", " ", "\n", "RETURN", "1 / 2", "a-b"]),
            st.text(alphabet="$ab'\\ /*", max_size=6).map(
                lambda s: '"' + s.replace("\\", "\\\\").replace('"', '\\"') + '"'
            ),
            st.text(alphabet='$ab"\\ /*', max_size=6).map(
                lambda s: "'" + s.replace("\\", "\\\\").replace("'", "\\'") + "'"
            ),
            st.text(alphabet="$ab'\"", max_size=6).map(lambda s: f"//{s}\n"),
            st.text(alphabet="$ab'\"\n", max_size=6).map(lambda s: f"/*{s}*/"),
        )
    )
)
def test_any_mix_of_strings_comments_and_parameters_is_told_apart(parts: list[str]) -> None:
    text = " ".join(["RETURN", *parts])
    expected = {part[1:] for part in parts if part in ("$x", "$yy")}
    assert parse_query("some", f"// What it answers.\n{text}").parameters == expected


@pytest.mark.parametrize(
    "text", ["", "RETURN 1 AS one", "//What it answers.\nRETURN 1 AS one", "// No sentence\nRETURN 1 AS one"]
)
def test_a_query_begins_with_what_it_answers(text: str) -> None:
    with pytest.raises(ValueError, match="does not begin with"):
        parse_query("some", text)


@pytest.mark.parametrize("rest", ["", "\n", "\n// more\n", "\n/* more */\n"])
def test_a_query_is_more_than_comments(rest: str) -> None:
    with pytest.raises(ValueError, match="is empty"):
        parse_query("some", f"// What it answers.{rest}")


def test_every_query_is_written_as_the_others_are() -> None:
    for name in query_names():
        text = files("cypher").joinpath(f"{name}.cypher").read_text(encoding="utf-8")
        assert load_query(name).doc[0].isupper(), name
        assert text.endswith("\n") and not text.endswith("\n\n"), name
        assert "\t" not in text and "\r" not in text, name
        assert all(line == line.rstrip() for line in text.splitlines()), name


def test_the_engines_have_the_same_indexes_by_name() -> None:
    def names(kind: str) -> set[str]:
        found = (
            re.search(r"(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS", statement.text)
            for statement in schema_statements(kind)
        )
        return {match[1] for match in found if match}

    assert names("neo4j") == names("embedded")
    assert {"statement_text", "chunk_text"} <= names("neo4j")


def test_every_label_and_type_of_a_query_is_made_with_the_embedded_schema() -> None:
    schema = " ".join(statement.text for statement in schema_statements("embedded"))
    types = set(re.findall(r"CREATE (?:VERTEX|EDGE) TYPE (\w+)", schema))
    for name in query_names():
        text = re.sub(r"//[^\n]*|'[^']*'", "", load_query(name).text)
        used = set(re.findall(r"[(\[]\w*:([A-Z][\w|:]*)", text))
        used = {word for group in used for word in re.split(r"[|:]+", group) if word}
        assert used <= types, name


def test_a_pattern_begins_at_its_key() -> None:
    # The embedded engine walks a pattern from its first node: from a label alone it goes through all that have it.
    for name in query_names():
        text = re.sub(r"//[^\n]*", "", load_query(name).text)
        for pattern in re.findall(r"MATCH\s+(\(.*)", text):
            first, *others = re.findall(r"\(([^()]*)\)", pattern)
            begins_at_a_label = re.fullmatch(r"\w*:\w+", first) is not None
            assert not (begins_at_a_label and any("{" in other for other in others)), f"{name}: {pattern}"


def test_no_python_file_holds_a_query() -> None:
    writes_scripts = ROOT / "graph" / "export" / "cypher_script.py"  # its product is Cypher; it runs none
    for folder in ("a2ap", "contexts", "graph"):
        for path in {*(ROOT / folder).rglob("*.py")} - {writes_scripts}:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    assert not CYPHER_TEXT.search(node.value), f"{path}:{node.lineno}"


async def test_the_engine_understands_every_query(engine: Endpoint) -> None:
    # A store of its own: a query that is planned here has not been run on the engine (engine_contract).
    async with connect_store(engine) as store:
        for name in query_names():
            assert await store.explain(name), name


# Not one of both_engines: it has Neo4j plan 430 queries, and a run of a query says the same but for a name too many.
@pytest.mark.parametrize("engine", ["neo4j"], indirect=True)  # the embedded engine does not name what is missing
async def test_the_declared_parameters_are_those_that_the_engine_asks_for(engine: Endpoint) -> None:
    async with AsyncGraphDatabase.driver(
        engine.uri,
        auth=(engine.user, engine.password),
        notifications_disabled_classifications=["UNRECOGNIZED", "PERFORMANCE", "HINT", "DEPRECATION"],
    ) as driver:
        for name in query_names():
            query = load_query(name)
            result = await driver.execute_query(query.explain_text, database_=engine.database)
            asked = {
                parameter
                for status in result.summary.gql_status_objects
                if status.gql_status == PARAMETER_MISSING
                for parameter in re.findall(r"\$`(\w+)`", status.status_description)
            }
            assert asked == query.parameters, name
