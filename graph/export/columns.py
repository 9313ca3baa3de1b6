"""The properties of each label and type as columns of tables, with their types: for formats that state these first.

They are those of the dictionary (`graph.dictionary`), which explains each. A property that is not in it is none of this
platform's and is in no table.
"""

from graph.dictionary.labels import SOURCE_TEXTS
from graph.dictionary.reading import WITHHELD, columns_from, node_terms, relationship_terms
from graph.dictionary.term import Column


def columns_of_node(label: str) -> tuple[Column, ...]:
    """Return the columns of a label, its key first."""
    return (*node_terms()[label].columns, WITHHELD)


def columns_of_edge(type: str, start: str) -> tuple[Column, ...]:
    """Return the columns of a type of relationship that begins at a label, without those for its two ends."""
    if type not in relationship_terms():
        return ()
    return (*columns_from(type, start), *((WITHHELD,) if type in SOURCE_TEXTS else ()))
