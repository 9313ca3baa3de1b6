"""Texts for readers name the thing: no "what" or "who" stands where a noun belongs (plain English).

The first paragraph of each docstring, each description of the GraphQL schema, all help of the command line, each
meaning in the dictionary of the graph, and the string literals of the product: errors, log messages, reasons.
"""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from graphql import build_schema
from test_cli import commands

from graph.dictionary.reading import columns_from, node_terms, relationship_terms, starts_with_own

ROOT = Path(__file__).resolve().parent.parent
FREE_RELATIVES = re.compile(r"\b(what|whatever|who|whoever|whom)\b", re.IGNORECASE)
QUOTED = re.compile(r'"[^"]*"|`[^`]*`')
PRODUCT = ("a2ap", "graph", "contexts", "cypher")
PACKAGES = (*PRODUCT, "bench", "faults")
EXEMPT = {
    # Lists of words, and an expression that splits sentences.
    *("graph/answers/question.py", "graph/disputes/vocabulary.py", "graph/transcripts/agenda.py"),
    *("graph/verifier/claim_kind.py", "graph/verifier/words.py"),
    # Prompts to models, and the instructions in packs, whose hashes they are part of.
    *("graph/answers/prompt.py", "graph/demo/author.py", "graph/demo/model_claims.py"),
    *("graph/verifier/model_answer.py", "graph/verifier/run_pack.py"),
    # Questions that a reader may ask.
    *("graph/cli/demo.py", "graph/demo/result.py", "graph/graphql/examples.py", "graph/web/suggestions.py"),
    # Heads of exported files, whose bytes `tests/vectors/golden_node/digests.json` pins.
    *("graph/export/cypher_script.py", "graph/export/prov_documents.py", "graph/export/reader.py"),
    "graph/export/turtle.py",
}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def docstrings() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(parsed(path)):
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


def literals() -> Iterator[tuple[str, str]]:
    for package in PRODUCT:
        for path in sorted((ROOT / package).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if name not in EXEMPT:
                yield from literals_of(name)


def literals_of(name: str) -> Iterator[tuple[str, str]]:
    """Yield the string literals that contain a space; a string that is a statement of its own is documentation."""
    nodes = list(ast.walk(parsed(ROOT / name)))
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in documentation:
            text = node.value
            if isinstance(text, str) and " " in text.strip():
                yield f"{name}:{node.lineno}", text


@pytest.mark.parametrize("texts", [docstrings, descriptions, helps, dictionary, literals])
def test_no_what_or_who_stands_for_a_noun(texts: Callable[[], Iterator[tuple[str, str]]]) -> None:
    found = list(texts())
    assert len(found) > 400
    assert [where for where, text in found if FREE_RELATIVES.search(QUOTED.sub("", text))] == []


@pytest.mark.parametrize("name", sorted(EXEMPT))
def test_an_exempt_file_needs_its_exemption(name: str) -> None:
    assert any(FREE_RELATIVES.search(text) for _, text in literals_of(name))
