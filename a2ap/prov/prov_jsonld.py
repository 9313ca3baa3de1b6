"""PROV-JSONLD (Moreau and Huynh, 2020): JSON-LD whose objects are the records of the data model, in bundles.

Its context is named by the URL that its readers know, and comes after the prefixes; we never fetch it.
"""

import json
from typing import Any, Final

from a2ap.prov.names import NAMESPACES
from a2ap.prov.prov_json import prov_name
from a2ap.prov.record import PLACES, PROV_TYPE, THINGS, TIMES, Bundle, Record
from a2ap.rdf.triples import Literal
from a2ap.rdf.vocabulary import XSD

PROV_JSONLD_CONTEXT: Final = "https://openprovenance.org/prov-jsonld/context.jsonld"
PROV_JSONLD_END: Final = "\n]}\n"


def prov_jsonld_header() -> str:
    """Return the beginning of a document; bundles follow, with `,` and a line feed between them."""
    return f'{{"@context": {json.dumps(_context())},\n"@graph": [\n'


def prov_jsonld_bundle(bundle: Bundle) -> str:
    """Return a bundle as an object, on one line; it has the context again, as its readers want it."""
    members = {
        "@context": _context(),
        "@type": "Bundle",
        "@id": prov_name(bundle.name),
        "@graph": [_object(record) for record in bundle.records],
    }
    return json.dumps(members, ensure_ascii=False)


def _context() -> list[Any]:
    return [dict(NAMESPACES), PROV_JSONLD_CONTEXT]


def _object(record: Record) -> dict[str, Any]:
    written: dict[str, Any] = {"@type": record.kind.name.capitalize()}
    places = record.places
    if record.kind in THINGS:
        written["@id"] = prov_name(places[0])
        places = places[1:]
    names = zip(PLACES[record.kind].jsonld, PLACES[record.kind].json, strict=True)
    for (name, json_name), place in zip(names, places, strict=True):
        if place is not None:
            written[name] = place if json_name in TIMES else prov_name(place)
    for name, value in record.attributes:
        if name == PROV_TYPE and isinstance(value, str):
            written.setdefault("type", []).append(prov_name(value))
        else:
            written.setdefault(prov_name(name), []).append(_value(value))
    return written


def _value(value: str | Literal) -> dict[str, str]:
    if isinstance(value, str):
        return {"@type": "prov:QUALIFIED_NAME", "@value": prov_name(value)}
    text, datatype = value
    return {"@value": text} if datatype == XSD.STRING else {"@value": text, "@type": prov_name(datatype)}
