"""The shapes that come with the package, and which of them do not hold of a graph, as pyshacl sees it."""

from pyshacl import validate
from rdflib import SH, Graph
from rdflib.term import Node

from contexts import SHAPES


def shapes() -> Graph:
    """Return the shapes."""
    return Graph().parse(data=SHAPES.read_text(encoding="utf-8"), format="turtle")


def broken_shapes(data: Graph) -> set[Node | None]:
    """Return the node shapes that do not hold of a graph."""
    known = shapes()
    _, report, _ = validate(data, shacl_graph=known, inference="none")
    assert isinstance(report, Graph)
    owner = {part: shape for shape, part in known.subject_objects(SH.property)}
    return {owner.get(source, source) for source in report.objects(None, SH.sourceShape)}
