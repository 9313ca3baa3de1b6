"""Named queries and schema statements, read from the files of this folder.

One query a file: `cypher/<verb_noun>.cypher`. Line 1 is `// ` and a sentence; the rest is the query. The
parameters of a query are the `$names` in its text, outside of strings and comments. Files in a folder with the name of
a query are further parts of it, one for each kind of message that it finds, joined by `UNION`.

Schema statements are in `cypher/schema/`: `neo4j.cypher` is for Neo4j, each `.sql` for the embedded engine, all other
files for both. The full-text indexes are called `statement_text`, `chunk_text` and `document_title` on both.
`cypher/vectors/` has the statements that make and drop a vector index: its dimension is known when a model is.
`cypher/upgrades/` is for the remains of earlier versions. `cypher/examples/` and `cypher/analysis/` hold queries for
analysts to paste, and `cypher/questions/` those that answer common questions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from cypher.gathering import Gathered, gather
from cypher.tokens import Sort, said_in

_FOLDERS = ("examples", "questions", "analysis")
_NAME = re.compile(rf"(?:(?:{'|'.join(_FOLDERS)})/)?[a-z][a-z0-9_]*")
_WORD = re.compile(r"[a-z][a-z0-9_]*")

_OF_NEO4J = "neo4j"
_SCHEMA_ORDER = (
    "keys",
    "retraction",
    "decline",
    "challenge_answer",
    "request",
    "gold",
    "redaction",
    "record",
    "indexes",
)
"""The files of the schema for both engines in the order in which exported scripts have had them; others come after."""


@dataclass(frozen=True, slots=True)
class Query:
    """One query file: its name (the file's stem), its first line, its text and its parameters' names."""

    name: str
    doc: str
    text: str
    parameters: frozenset[str]

    @property
    def explain_text(self) -> str:
        """Return the text that makes an engine say how it would run the query, and not run it."""
        return f"EXPLAIN {self.text}"

    @property
    def gathered(self) -> Gathered | None:
        """The query with its rows gathered into one, or None if that is not possible."""
        return gather(self.text)

    def check_parameters(self, given: Iterable[str]) -> None:
        """Raise ValueError if the given parameter names are not exactly those of the query."""
        names = frozenset(given)
        if names == self.parameters:
            return
        missing = ", ".join(sorted(self.parameters - names))
        unused = ", ".join(sorted(names - self.parameters))
        found = [f"misses {missing}"] * bool(missing) + [f"does not use {unused}"] * bool(unused)
        raise ValueError(f"query {self.name} {' and '.join(found)}")


@dataclass(frozen=True, slots=True)
class SchemaStatement:
    """One statement of the schema and the language it is written in: `cypher` or `sql`."""

    language: str
    text: str


@cache
def load_query(name: str) -> Query:
    """Return the query of `<name>.cypher`, here or in a folder of queries. Raises LookupError if there is none."""
    if not _NAME.fullmatch(name):
        raise LookupError(f"{name!r} is not the name of a query")
    file = files(__name__).joinpath(f"{name}.cypher")
    if not file.is_file():
        raise LookupError(f"there is no query {name}")
    parts = (file, *_files_of(files(__name__).joinpath(name), ".cypher"))
    return parse_query(name, "\nUNION\n".join(part.read_text(encoding="utf-8").strip() for part in parts))


@cache
def query_names() -> tuple[str, ...]:
    """Return the names of all queries, sorted."""
    root = files(__name__)
    found = [entry.name for entry in root.iterdir() if entry.is_file()]
    for folder in _FOLDERS:
        if root.joinpath(folder).is_dir():
            found += [f"{folder}/{entry.name}" for entry in root.joinpath(folder).iterdir()]
    return tuple(sorted(name.removesuffix(".cypher") for name in found if name.endswith(".cypher")))


@cache
def schema_statements(kind: str) -> tuple[SchemaStatement, ...]:
    """Return the schema of an engine (`neo4j` or `embedded`) in the order in which it is to be run."""
    folder = files(__name__).joinpath("schema")
    own = {file.name.removesuffix(".cypher"): file for file in _files_of(folder, ".cypher")}
    last = own.pop(_OF_NEO4J)
    common = [own[name] for name in dict.fromkeys((*_SCHEMA_ORDER, *own))]
    ordered = [*common, last] if kind == "neo4j" else [*_files_of(folder, ".sql"), *common]
    return tuple(
        SchemaStatement("sql" if file.name.endswith(".sql") else "cypher", statement)
        for file in ordered
        for statement in _split_statements(file.read_text(encoding="utf-8"))
    )


@cache
def upgrade_statements(kind: str, name: str, step: str) -> tuple[SchemaStatement, ...]:
    """Return a step of an upgrade of the schema: `check` gives a row if it was done, `before` and `after` do it."""
    ending = "cypher" if kind == "neo4j" else "sql"
    text = files(__name__).joinpath("upgrades", f"{name}_{step}.{ending}").read_text(encoding="utf-8")
    return tuple(SchemaStatement(ending, statement) for statement in _split_statements(text))


def vector_index_statements(kind: str, what: str, name: str, dimension: int) -> tuple[SchemaStatement, ...]:
    """Return the statements that make (`create`) or drop (`drop`) the vector index of a property, `vectors_<name>`.

    No engine takes the name of a property or a dimension as a parameter. Raises ValueError for a name that is not a
    word in small letters, or a dimension below 1.
    """
    if not _WORD.fullmatch(name) or dimension < 1:
        raise ValueError(f"{name!r} of dimension {dimension} names no vector index")
    ending = "cypher" if kind == "neo4j" else "sql"
    text = files(__name__).joinpath("vectors", f"{what}_index.{ending}").read_text(encoding="utf-8")
    filled = text.replace("<property>", name).replace("<dimension>", str(dimension))
    return tuple(SchemaStatement(ending, statement) for statement in _split_statements(filled))


def parse_query(name: str, text: str) -> Query:
    """Return the query that a file's text holds.

    Raises ValueError if line 1 is not a sentence or nothing follows it.
    """
    first, _, rest = text.partition("\n")
    if not (first.startswith("// ") and first.rstrip().endswith((".", "?"))):
        raise ValueError(f"query {name} does not begin with a line `// What it answers.`")
    said = tuple(said_in(rest))
    if not said:
        raise ValueError(f"query {name} is empty")
    parameters = frozenset(token.text.removeprefix("$") for token in said if token.sort is Sort.PARAMETER)
    return Query(name, first[3:].strip(), text.strip(), parameters)


def _files_of(folder: Traversable, ending: str) -> list[Traversable]:
    found = [file for file in folder.iterdir() if file.name.endswith(ending)] if folder.is_dir() else []
    return sorted(found, key=lambda file: file.name)


def _split_statements(text: str) -> list[str]:
    lines = (line for line in text.splitlines() if not line.startswith(("//", "--")))
    return [statement.strip() for statement in "\n".join(lines).split(";") if statement.strip()]
