"""PROV-JSON (W3C member submission of 2013): an object of bundles, each with its records by kind and name."""

import json
from typing import Any, Final

from a2ap.prov.names import NAMESPACES, qualified
from a2ap.prov.record import PLACES, THINGS, TIMES, Bundle, Record
from a2ap.rdf.triples import Literal
from a2ap.rdf.vocabulary import XSD

PROV_JSON_END: Final = "\n}}\n"


def prov_json_header() -> str:
    """Return the beginning of a document; bundles follow, with `,` and a line feed between them."""
    return f'{{"prefix": {json.dumps(dict(NAMESPACES))},\n"bundle": {{\n'


def prov_json_bundle(bundle: Bundle) -> str:
    """Return a bundle as a member of the object of bundles, on one line."""
    kinds: dict[str, dict[str, Any]] = {}
    for record in bundle.records:
        held = kinds.setdefault(record.kind.value, {})
        # Relations have no names here: a blank one, which counts within the bundle.
        name = prov_name(record.places[0]) if record.kind in THINGS else f"_:{record.kind.name.lower()}{len(held)}"
        held[name] = _members(record)
    return f"{json.dumps(prov_name(bundle.name))}: {json.dumps(kinds, ensure_ascii=False)}"


def prov_name(iri: str | None) -> str:
    """Return an IRI with a prefix, as names are in both JSON forms."""
    assert iri is not None
    return ":".join(qualified(iri))


def _members(record: Record) -> dict[str, Any]:
    places = record.places[1:] if record.kind in THINGS else record.places
    names = PLACES[record.kind].json
    members: dict[str, Any] = {
        name: place if name in TIMES else prov_name(place)
        for name, place in zip(names, places, strict=True)
        if place is not None
    }
    for name, value in record.attributes:
        members.setdefault(prov_name(name), []).append(_value(value))
    return members


def _value(value: str | Literal) -> Any:
    if isinstance(value, str):
        return {"$": prov_name(value), "type": "prov:QUALIFIED_NAME"}
    text, datatype = value
    return text if datatype == XSD.STRING else {"$": text, "type": prov_name(datatype)}
