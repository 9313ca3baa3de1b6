"""Texts for readers name the thing: no "what" or "who" stands where a noun belongs (`style.md`, plain English).

The first paragraph of each docstring, each description of the GraphQL schema, all help of the command line, and each
meaning in the dictionary of the graph.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from graphql import build_schema
from test_cli import commands

from graph.dictionary.reading import columns_from, node_terms, relationship_terms, starts_with_own

ROOT = Path(__file__).resolve().parent.parent
FREE_RELATIVES = re.compile(r"\b(what|whatever|who|whoever|whom)\b", re.IGNORECASE)
QUOTED = re.compile(r'"[^"]*"|`[^`]*`')
PACKAGES = ("a2ap", "graph", "contexts", "cypher", "bench", "faults")


def docstrings() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    text = ast.get_docstring(node) or ""
                    yield f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}", text.partition("\n\n")[0]


def descriptions() -> Iterator[tuple[str, str]]:
    schema = build_schema((ROOT / "tests" / "schema.graphql").read_text(encoding="utf-8"))
    own = {name: kind for name, kind in schema.type_map.items() if not name.startswith("__")}
    for name, kind in own.items():
        yield name, kind.description or ""
        members = {**getattr(kind, "fields", {}), **getattr(kind, "values", {})}
        for field, value in members.items():
            yield f"{name}.{field}", value.description or ""
            for argument, taken in getattr(value, "args", {}).items():
                yield f"{name}.{field}({argument}:)", taken.description or ""


def helps() -> Iterator[tuple[str, str]]:
    for name, command in commands().items():
        yield name, command.help or ""
        for parameter in command.params:
            yield f"{name} {parameter.name}", getattr(parameter, "help", None) or ""


def dictionary() -> Iterator[tuple[str, str]]:
    for name, term in {**node_terms(), **relationship_terms()}.items():
        yield name, term.meaning
        for column in term.columns:
            yield f"{name}.{column.name}", column.meaning
    for type in relationship_terms():
        for start in starts_with_own(type):
            for column in columns_from(type, start):
                yield f"{type}.{start}.{column.name}", column.meaning


@pytest.mark.parametrize("texts", [docstrings, descriptions, helps, dictionary])
def test_no_what_or_who_stands_for_a_noun(texts: object) -> None:
    assert callable(texts)
    found = dict(texts())
    assert len(found) > 400
    assert [where for where, text in found.items() if FREE_RELATIVES.search(QUOTED.sub("", text))] == []
