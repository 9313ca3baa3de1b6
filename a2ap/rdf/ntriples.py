"""N-Triples and Turtle as text, triple by triple, for exports that fit no memory.

A file may simply be lines or blocks of many messages one after the other: blank node labels are unique. Every line
of N-Triples is Turtle too; the Turtle written here is shorter, and a shorter name is only given to our own terms and
PROV-O's. `a2ap.rdf.rdflib_graph.serialize_turtle` is prettier and holds the whole graph.
"""

import re
from collections.abc import Iterable
from typing import Final

from a2ap.messages.envelope import MessageType
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Literal, Triple
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, PREFIXES, PROV, RDF, SCHEMA, SECURITY, XSD

TURTLE_HEADER: Final = "".join(f"@prefix {prefix}: <{namespace}> .\n" for prefix, namespace in PREFIXES.items())

# RDF 1.1 N-Triples §4, canonical form; controls as \u, so that a line stays a line for every reader.
_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f\x85\u2028\u2029]')
_ESCAPES = {
    **{code: f"\\u{code:04X}" for code in (*range(0x20), 0x7F, 0x85, 0x2028, 0x2029)},
    **{ord(character): "\\" + letter for character, letter in zip('"\\\t\b\n\r\f', '"\\tbnrf', strict=True)},
}
_SHORT_NAMES = {A2AP_NAMESPACE + type.value: type.wire for type in MessageType} | {
    iri: f"{prefix}:{iri.removeprefix(namespace)}"
    for prefix, namespace in PREFIXES.items()
    for vocabulary in (A2AP, PROV, RDF, SCHEMA, SECURITY, XSD)
    for name, iri in vars(vocabulary).items()
    if not name.startswith("_") and iri.startswith(namespace)
}


def ntriples_line(triple: Triple) -> str:
    """Return a triple as a line of N-Triples, with its line feed."""
    subject, predicate, value = triple
    return f"{_node(subject)} <{predicate}> {_long(value)} .\n"


def write_ntriples(triples: Iterable[Triple]) -> str:
    """Return triples as N-Triples, in their order."""
    return "".join(map(ntriples_line, triples))


def turtle_block(triples: Iterable[Triple]) -> str:
    """Return the triples of a message as Turtle, to stand anywhere after `TURTLE_HEADER`."""
    subjects: dict[str, list[str]] = {}
    for subject, predicate, value in triples:
        verb = "a" if predicate == RDF.TYPE else _short(predicate)
        subjects.setdefault(subject, []).append(f"{verb} {_short(value)}")
    blocks = ((_node(subject), " ;\n    ".join(parts)) for subject, parts in subjects.items())
    return "".join(f"{subject} {parts} .\n" for subject, parts in blocks)


def _node(name: str) -> str:
    return name if name.startswith("_:") else f"<{name}>"


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"' if _ESCAPED.search(text) else f'"{text}"'


def _long(value: str | Literal) -> str:
    if isinstance(value, str):
        return _node(value)
    text, datatype = value
    return _quoted(text) if datatype == XSD.STRING else f"{_quoted(text)}^^<{datatype}>"


def _short(value: str | Literal) -> str:
    if isinstance(value, str):
        return _SHORT_NAMES.get(value) or _node(value)
    text, datatype = value
    if datatype == XSD.INTEGER or datatype == XSD.DECIMAL:
        # Both are Turtle's own notation: digits, and digits with a point.
        return text
    return _quoted(text) if datatype == XSD.STRING else f"{_quoted(text)}^^{_SHORT_NAMES[datatype]}"
