"""The answers in which things come in the order of hashes, which is another on two nodes and says nothing.

Rules:

- An answer that is not named here is compared as it came.
- Exports read nodes by their keys and relationships by their ends, label by label (`graph.export.steps`). The lines
  of `graph-ndjson` are put in order within a label or type, and those of other forms, made of the same pages, as one.
- The form of an export suggests documents, which come by hash.
- SPARQL gives what a query does not order in any order (SPARQL 1.1, section 15.1).
- `documents` come by hash (docs/reference/graphql.md, "Lists"), and what is found alike by hash as well
  (docs/how-to/search.md, "Merged list"): which hit has which rank is left out. What documents are ordered by is in
  their cursors, which are compared.
- A query of the platform itself ends its order with a hash: its rows are put in order within what comes before that.
- The rows of a text without `ORDER BY` come in any order: Neo4j reads nodes by their places in its files, and uses the
  places of deleted nodes again. A text with `ORDER BY` is compared as it came.
"""

import json
import re
from collections.abc import Callable, Collection
from functools import partial
from itertools import groupby, takewhile
from typing import Any

from walk_names import PAGE, Asked

from graph.export.format import ExportFormat

Plain = Callable[[str], str]
"""Names hashes in a text by the places of what they are of."""

Order = Callable[[str, Plain], str]
"""Returns a text with hashes named, and in an order that follows from none."""


def order_of(asked: Asked) -> Order:
    """Return how what is asked for is put in order."""
    if asked.headers.get("accept") == PAGE:
        return _by_option if asked.path == "/export" else as_it_came
    if asked.path == "/graphql":
        text = (asked.body or asked.params)["query"]
        fields = {alias or name: name for alias, name in _FIELD.findall(text)}
        found = {alias for alias, name in fields.items() if name in _FOUND}
        if "ORDER BY" not in json.dumps(asked.body):
            found |= {alias for alias, name in fields.items() if name == "cypher"}
        return partial(_by_hash, found) if found else as_it_came
    if asked.path == "/export":
        return by_label if asked.params["format"] == ExportFormat.GRAPH_ROWS else _as_lines
    if asked.path in ("/search", "/ask") or (asked.path == "/cypher" and "ORDER BY" not in asked.body.get("text", "")):
        return partial(_by_hash, ())
    return _as_lines if asked.path == "/sparql" else as_it_came


_FIELD = re.compile(r"\b(?:(\w+): )?(\w+)\(")
_FOUND = ("documents", "search", "ask", "statementsAbout", "consensusOn")


def as_it_came(text: str, plain: Plain) -> str:
    """Return a text in the order in which it came."""
    return plain(text)


def _by_option(text: str, plain: Plain) -> str:
    """Put the sources that a form suggests in order."""
    return _SUGGESTED.sub(lambda options: "".join(sorted(options[0].split("<option "))), plain(text))


_SUGGESTED = re.compile(r'(?<=<datalist id="sources">).*?(?=</datalist>)')


def by_label(text: str, plain: Plain) -> str:
    """Return rows of the graph in order within each label and type."""
    groups = groupby(plain(text).splitlines(), lambda line: line.partition(",")[0])
    return "\n".join(line for _, lines in groups for line in sorted(lines))


def _as_lines(text: str, plain: Plain) -> str:
    try:
        return _sorted(json.loads(text), plain)
    except ValueError:
        return "\n".join(sorted(line.rstrip(" ,;.") for line in plain(text).splitlines()))


def _sorted(value: Any, plain: Plain) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(sorted(f'{plain(name)}: {_sorted(member, plain)}' for name, member in value.items()))}}}"
    if isinstance(value, list):
        return f"[{', '.join(sorted(_sorted(member, plain) for member in value))}]"
    return plain(value) if isinstance(value, str) else repr(value)


def _by_hash(roots: Collection[str], text: str, plain: Plain) -> str:
    """Put what is found in order, and the rows of a query: of an answer, or of these members of the data of one."""
    if not text.startswith("{"):
        return plain(text)
    answer = json.loads(text)
    data = answer.get("data") or {}
    for found in [data[name] for name in roots if name in data] if roots else [answer]:
        for listed in _listed(found):
            listed.sort(key=lambda one: plain(_RANK.sub("", json.dumps(one))))
        if isinstance(found, dict):
            _order_rows(found if "cypher" in found else found.get("query"), plain)
    written = json.dumps(answer)
    return "\n".join([plain(_RANK.sub('"rank"', written)), *sorted(_RANK.findall(written))])


_RANK = re.compile(r'"rank": \d+, "score": [0-9.e-]+')


def _listed(found: Any) -> list[list[Any]]:
    if isinstance(found, list):
        return [found]
    members = (
        [found.get(name) for name in ("nodes", "edges", "hits", "accepted", "notYetAccepted")]
        if isinstance(found, dict)
        else []
    )
    return [one for one in members if isinstance(one, list)]


def _order_rows(query: Any, plain: Plain) -> None:
    """Put the rows of a query in order within what its text orders them by, up to a column of hashes."""
    if not isinstance(query, dict) or "rows" not in query:
        return
    for given in query["parameters"].values():
        if isinstance(given, list):
            given.sort(key=plain)
    _, stated, order = query["cypher"].rpartition("ORDER BY ")
    ordered = re.findall(r"[\w.]+", order.partition("\n")[0]) if stated else []
    columns = [query["columns"].index(name) for name in ordered if name in query["columns"]]
    rows = query["rows"]
    ranks = [at for at in takewhile(lambda at: not any(_is_hash(row[at]) for row in rows), columns)]
    groups = groupby(rows, lambda row: [row[at] for at in ranks])
    query["rows"] = [row for _, some in groups for row in sorted(some, key=lambda row: plain(json.dumps(row)))]


def _is_hash(value: Any) -> bool:
    return str(value).startswith("sha256:")
