"""Properties that find a few nodes of a label instead of all: the constraints and indexes of this graph."""

import re
from functools import cache

from cypher import schema_statements

_INDEXED = re.compile(r"FOR \(n:(?P<label>\w+)\) (?:REQUIRE |ON \()n\.(?P<property>\w+)(?P<unique> IS UNIQUE)?")


@cache
def looked_up_by() -> frozenset[tuple[str, str]]:
    """Return the label and property of each constraint and index."""
    return frozenset((match["label"], match["property"]) for match in _matches())


@cache
def identified_by() -> frozenset[tuple[str, str]]:
    """Return the label and property of each uniqueness constraint."""
    return frozenset((match["label"], match["property"]) for match in _matches() if match["unique"])


def _matches() -> list[re.Match[str]]:
    found = (_INDEXED.search(statement.text) for statement in schema_statements("neo4j"))
    return [match for match in found if match is not None]
