"""Names that a query may use: the labels, relationship types and properties of this graph, each with its kind.

They are those of the dictionary (`graph/dictionary`). Leases are not part of the graph (docs/reference/graph.md), so
that no query reads them.
"""

from collections.abc import Iterable, Mapping
from functools import cache

from graph.dictionary.labels import EDGE_LABELS, PUBLIC_OF_PACKETS, SOURCE_TEXTS
from graph.dictionary.reading import columns_from, node_terms, starts_with_own
from graph.dictionary.term import Column, Kind

LABELS = tuple(sorted(node_terms()))
"""The labels of nodes."""

RELATIONSHIPS: Mapping[str, tuple[str, str]] = EDGE_LABELS
"""The types of relationship, each with the labels of its start and its end, alternatives separated by bars."""

FULL_TEXT = {"statement_text": "Statement", "chunk_text": "Chunk", "document_title": "Document"}
"""The full-text indexes, and the label that each finds."""

OF_STATEMENTS = "statement_text"
"""The only index without words of sources."""


@cache
def properties_of(name: str) -> Mapping[str, Kind]:
    """Return the properties of a label, or of a relationship type wherever it begins, in the order of their names."""
    return {column.name: column.kind for column in sorted(_columns_of(name), key=lambda column: column.name)}


@cache
def withheld_of(label: str) -> frozenset[str]:
    """Return the properties of a label or type that may hold content that some reader is not cleared for."""
    if label in PUBLIC_OF_PACKETS:
        return frozenset(properties_of(label)) - frozenset(PUBLIC_OF_PACKETS[label])
    return frozenset(SOURCE_TEXTS.get(label, ()))


@cache
def withheld_types() -> frozenset[str]:
    """Return the relationships known only from the contents of a packet: some reader may not know of them."""
    return frozenset(type for type, ends in RELATIONSHIPS.items() if set(ends[0].split("|")) <= set(PUBLIC_OF_PACKETS))


def ends_of(types: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the labels of the starts of relationships of these types, and those of their ends."""
    known = [RELATIONSHIPS[one] for one in types]
    return (
        frozenset(label for one in known for label in one[0].split("|")),
        frozenset(label for one in known for label in one[1].split("|")),
    )


def _columns_of(name: str) -> Iterable[Column]:
    if name in RELATIONSHIPS:
        return (column for start in ("", *starts_with_own(name)) for column in columns_from(name, start))
    return node_terms()[name].columns
