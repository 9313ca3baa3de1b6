"""The result of checking a query."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from graph.cypher_text.guards import KeySet
from graph.cypher_text.shapes import Kind


@dataclass(frozen=True, slots=True)
class CheckedQuery:
    """A query as it was written anew, with its parameters, and the names and kinds of its columns.

    A kind is that of the column's values, as far as it is known before the query has run. `key_sets` are the parameters
    that are still missing: the sets of withheld keys that the query looks into.
    """

    text: str
    parameters: Mapping[str, Any]
    columns: tuple[str, ...]
    kinds: tuple[Kind, ...] = ()
    key_sets: Mapping[KeySet, str] = field(default_factory=dict)
