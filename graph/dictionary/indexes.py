"""Properties by which the databases look up nodes: the indexes that cypher/schema creates."""

import re
from functools import cache

from cypher import schema_statements

_CONSTRAINT = re.compile(r"CREATE CONSTRAINT \w+ IF NOT EXISTS FOR \(n:(\w+)\) REQUIRE n\.(\w+) IS UNIQUE")
_INDEX = re.compile(r"CREATE INDEX \w+ IF NOT EXISTS FOR \(n:(\w+)\) ON \(([^)]+)\)")
_FULL_TEXT = re.compile(r"CREATE FULLTEXT INDEX \w+ IF NOT EXISTS FOR \(n:(\w+)\) ON EACH \[n\.(\w+)\]")


@cache
def found_by() -> dict[tuple[str, str], str]:
    """Return the kind of index of a property: `unique`, `index` or `full text`, by label and property."""
    found = {names: "full text" for names in _FULL_TEXT.findall(_schema("neo4j"))}
    common = _schema("embedded")
    for label, names in _INDEX.findall(common):
        found |= {(label, name.strip().removeprefix("n.")): "index" for name in names.split(",")}
    return found | {names: "unique" for names in _CONSTRAINT.findall(common)}


def _schema(kind: str) -> str:
    return "\n".join(statement.text for statement in schema_statements(kind))
