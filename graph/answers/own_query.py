"""A query of a reader or a model, run with every check, so that the rows have nothing that the reader may not see.

A query can count, compare and sort by the properties that it reads, so that nothing can be removed from its rows
afterwards. So if anything is withheld from a reader (a document above their clearance, or anything erased), a property
that holds words of sources or describes a source is null in their queries where it is withheld, and refused if the
query reads it from an expression whose node is not known. They may not use properties of records, and nodes come
without any of these. If nothing is withheld from them, they may use all. What is withheld is looked up again after the
query has run: rows with data that arrived meanwhile are not returned. For a graph of the past the graph of now decides
too; where anything was erased, no words of the past may be used.
"""

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from cypher import load_query, query_names
from graph.answers.graph_sizes import GraphSizes
from graph.answers.withheld_keys import Keys, withheld_keys
from graph.clearance import Reader
from graph.cypher_text.check import check_query
from graph.cypher_text.guards import set_parameter
from graph.cypher_text.query import CheckedQuery
from graph.cypher_text.values import plain_value
from graph.database.text_reader import Table
from graph.errors import CypherTextError, NotFoundError
from graph.requests.query_budget import QueryBudget
from graph.requests.share import Share
from graph.store import Store

NAMED = ("examples/", "analysis/", "questions/")
"""The folders of queries that run by name."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """The budget for a reader's queries, and the sizes of the graph that limit their rows."""

    sizes: GraphSizes
    budget: QueryBudget
    share: Share


@dataclass(frozen=True, slots=True)
class OwnAnswer:
    """A query as it ran, its rows, and whether words of sources were withheld."""

    query: CheckedQuery
    table: Table
    withheld: bool


async def run_query(
    store: Store,
    reader: Reader,
    text: str,
    parameters: Mapping[str, Any],
    *,
    seconds: float,
    live: Store | None = None,
    allowance: Allowance | None = None,
) -> OwnAnswer:
    """Check a query and run it for a reader; `live` is the graph of now if `store` has one of the past.

    A text other than our own queries is refused if it could go through more rows than this reader is allowed. Without
    an `allowance` neither rows nor parallel queries are limited. Raises CypherTextError for a query that may not run,
    and TooManyQueriesError and OwnQueriesBusyError if there is no place for it.
    """
    live = live or store
    withheld = await is_anything_withheld(live, reader)
    is_bounded = allowance is not None and text not in _own_texts()
    bound = await allowance.sizes.bound_for(reader) if allowance is not None and is_bounded else None
    by_row = await _is_withheld_by_row(store, live)
    query = check_query(text, parameters, withheld=withheld, by_row=by_row, bound=bound)
    async with allowance.budget.place(allowance.share, seconds) if allowance is not None else nullcontext():
        before = await _keys_of(query, store, live, reader)
        sets = {name: set_parameter(before[one]) for one, name in query.key_sets.items()}
        running = replace(query, parameters={**query.parameters, **sets})
        table = await store.texts.read(running, seconds=seconds, plain=partial(plain_value, withheld=withheld))
        after = await _keys_of(query, store, live, reader)
    if (
        (not withheld and await is_anything_withheld(live, reader))
        or any(not after[one] <= before[one] for one in query.key_sets)
        or (query.key_sets and not await _is_withheld_by_row(store, live))
    ):
        raise CypherTextError("something that this reader is not cleared for came while the query ran; ask again")
    return OwnAnswer(query, table, withheld)


async def _is_withheld_by_row(store: Store, live: Store) -> bool:
    # What was erased since is still in a graph of the past.
    return store is live or not await live.read("first_redaction")


async def _keys_of(query: CheckedQuery, store: Store, live: Store, reader: Reader) -> Keys:
    """Return the sets of withheld keys that a query looks into: those of now, and those of the past."""
    if not query.key_sets:
        return {}
    found = await withheld_keys(live, reader, query.key_sets)
    if store is live:
        return found
    then = await withheld_keys(store, reader, query.key_sets)
    return {one: found[one] | then[one] for one in query.key_sets}


async def is_anything_withheld(store: Store, reader: Reader) -> bool:
    """Return whether the graph holds words that this reader is not cleared for."""
    above = await store.read("documents_above", readable=list(reader.readable))
    return bool(above or await store.read("first_redaction"))


def own_query_names() -> tuple[str, ...]:
    """Return the names of the queries that run by name, sorted."""
    return tuple(name for name in query_names() if name.startswith(NAMED))


@cache
def _own_texts() -> frozenset[str]:
    return frozenset(load_query(name).text for name in own_query_names())


def text_named(name: str) -> str:
    """Return the text of a query by its name; raises NotFoundError if no public query has that name."""
    if name not in own_query_names():
        raise NotFoundError(f"no query is called {name[:80]!r}")
    return load_query(name).text
