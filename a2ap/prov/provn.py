"""PROV-N (W3C Recommendation): one record a line, a bundle a message."""

import re
from typing import Final

from a2ap.prov.names import NAMESPACES, qualified
from a2ap.prov.record import PLACES, Bundle, Record
from a2ap.rdf.triples import Literal
from a2ap.rdf.vocabulary import XSD

PROVN_END: Final = "endDocument\n"

# §3.7.1: the characters that are escaped in a name, and those that may only not stand at its beginning.
_ESCAPED_IN_NAMES = re.compile(r"[=',;:()\[\]]|^[-.]|\.$")
# §3.7.2; other controls have no escape and stand as they are.
_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"})


def provn_header(comment: str) -> str:
    """Return the beginning of a document, with a comment of one line."""
    declared = (f"  prefix {prefix} <{iri}>\n" for prefix, iri in NAMESPACES.items() if prefix not in ("prov", "xsd"))
    return f"// {comment}\ndocument\n{''.join(declared)}"


def provn_bundle(bundle: Bundle) -> str:
    """Return a bundle of a document."""
    lines = "".join(f"    {_record(record)}\n" for record in bundle.records)
    return f"  bundle {_name(bundle.name)}\n{lines}  endBundle\n"


def _record(record: Record) -> str:
    width = PLACES[record.kind].width
    places = [_place(place) for place in record.places] + ["-"] * (width - len(record.places))
    if record.attributes:
        said = ", ".join(f"{_name(name)}={_value(value)}" for name, value in record.attributes)
        places.append(f"[{said}]")
    return f"{record.kind.value}({', '.join(places)})"


def _place(place: str | None) -> str:
    if place is None:
        return "-"
    # A name has a scheme; a time begins with its year.
    return place if place[0].isdigit() else _name(place)


def _name(iri: str) -> str:
    prefix, local = qualified(iri)
    return f"{prefix}:{_ESCAPED_IN_NAMES.sub(lambda match: chr(92) + match[0], local)}"


def _value(value: str | Literal) -> str:
    if isinstance(value, str):
        return f"'{_name(value)}'"
    text, datatype = value
    quoted = f'"{text.translate(_ESCAPES)}"'
    return quoted if datatype == XSD.STRING else f"{quoted} %% {_name(datatype)}"
