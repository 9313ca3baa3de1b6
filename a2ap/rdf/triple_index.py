"""The triples of one message, looked up by subject and property."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from a2ap.rdf.triples import Literal, Triple
from a2ap.rdf.vocabulary import RDF


class TripleIndex:
    """The triples of one message by subject and property."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self._objects: dict[tuple[str, str], list[str | Literal]] = defaultdict(list)
        self.by_property: dict[str, list[tuple[str, str | Literal]]] = defaultdict(list)
        for subject, predicate, value in triples:
            self._objects[subject, predicate].append(value)
            self.by_property[predicate].append((subject, value))

    def nodes(self, subject: str, predicate: str) -> list[str]:
        """Return the nodes that a property of a subject points at, in the order of the triples."""
        return [value for value in self._objects.get((subject, predicate), ()) if isinstance(value, str)]

    def text(self, subject: str, predicate: str) -> str | None:
        """Return the first text of a property of a subject, None if it has none."""
        return next(
            (value[0] for value in self._objects.get((subject, predicate), ()) if not isinstance(value, str)), None
        )

    def items(self, subject: str, predicate: str) -> Iterator[str]:
        """Yield the nodes of the lists that a property of a subject points at."""
        for cell in self.nodes(subject, predicate):
            while cell != RDF.NIL:
                yield from self.nodes(cell, RDF.FIRST)
                (cell,) = self.nodes(cell, RDF.REST)
