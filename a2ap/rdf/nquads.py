"""N-Quads and TriG as text, quad by quad: canonical lines, and blocks for named graphs.

A line of N-Quads is in the canonical form of RDF Dataset Canonicalization §5, so that a file of them can be sorted by
its bytes and handed to RDFC-1.0 as it is. The terms of TriG are written by the writer of Turtle.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from a2ap.rdf.ntriples import turtle_block
from a2ap.rdf.triples import Literal, Triple
from a2ap.rdf.vocabulary import XSD

# RDFC-1.0 §5: these six by letter, other controls by number, everything else as it is.
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f]')
_ESCAPES = {
    **{code: f"\\u{code:04X}" for code in (*range(0x20), 0x7F)},
    **{ord(character): "\\" + letter for character, letter in zip('"\\\t\b\n\r\f', '"\\tbnrf', strict=True)},
}


@dataclass(frozen=True, slots=True)
class NamedGraph:
    """Triples under the IRI of a graph."""

    name: str
    triples: tuple[Triple, ...]


def nquads_block(graphs: Iterable[NamedGraph]) -> str:
    """Return the quads of some graphs as canonical N-Quads, each once, in the order of their bytes."""
    lines = {_line(triple, graph.name) for graph in graphs for triple in graph.triples}
    # Code point order, as RDFC-1.0 asks for: Python compares texts so, and UTF-8 keeps that order.
    return "".join(sorted(lines))


def trig_block(graphs: Iterable[NamedGraph]) -> str:
    """Return some graphs as TriG, in their order, to stand anywhere after the prefixes of `TURTLE_HEADER`."""
    return "".join(f"<{graph.name}> {{\n{turtle_block(graph.triples)}}}\n" for graph in graphs if graph.triples)


def _line(triple: Triple, graph: str) -> str:
    subject, predicate, value = triple
    return f"{_node(subject)} <{predicate}> {_object(value)} <{graph}> .\n"


def _node(name: str) -> str:
    return name if name.startswith("_:") else f"<{name}>"


def _object(value: str | Literal) -> str:
    if isinstance(value, str):
        return _node(value)
    text, datatype = value
    quoted = f'"{text.translate(_ESCAPES)}"' if _ESCAPED.search(text) else f'"{text}"'
    return quoted if datatype == XSD.STRING else f"{quoted}^^<{datatype}>"
