"""From a message to the JSON-LD that is expanded: the members that our context names, written as RDF has them.

1. A member that our context does not name at this place is left out. It was signed and is kept with the document,
   and says nothing in RDF: a stray `prov:wasAttributedTo` would otherwise attribute a statement to somebody else.
   `@id` stays only where the context gives a node a name, so that no evidence segment can pose as another resource;
   `@type` comes back by entailment.
2. `verificationStatus`, `proof` and `disclosures` are left out: others write them. A disclosed text stands beside
   the digest that was signed.
3. A number becomes the text of an `xsd:integer` or `xsd:decimal` (`a2ap.triples`).
4. A reference that binds, an id with a `targetHash`, becomes a node of its own: the hash belongs to the reference.
5. A registered source becomes the document, its bytes under their hash, and the source that it is a version of.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from a2ap.envelope import read_type
from a2ap.errors import FieldError
from a2ap.times import parse_cue_time
from a2ap.triples import decimal_text, document_iri
from a2ap.vocabulary import XSD
from contexts import A2AP_CONTEXT_URL, load_document

Terms = Mapping[str, Any]

# Names that the specification's own contexts give to namespaces: JSON-LD would read `prov:x` as another IRI.
_PREFIXES = frozenset({"a2ap", "prov"})
_REFERENCES = {
    "supports": ("a2ap:qualifiedSupport", "a2ap:Support", "a2ap:targetStatement"),
    "contradicts": ("a2ap:qualifiedContradiction", "a2ap:Contradiction", "a2ap:targetStatement"),
    "prov:wasRevisionOf": ("prov:qualifiedRevision", "prov:Revision", "prov:entity"),
    "supersedes": ("a2ap:qualifiedSupersession", "a2ap:Supersession", "a2ap:targetVerification"),
    "counterStatement": ("a2ap:qualifiedCounterStatement", "a2ap:Contradiction", "a2ap:targetStatement"),
    "crossReferences": ("a2ap:qualifiedCrossReference", "a2ap:Reference", "a2ap:targetStatement"),
}


def prepare(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a message is RDF, as JSON-LD in our context.

    The document has passed its checks (`a2ap.message.read_message`). Raises `TypeNameError` for an unknown
    type, `FieldError` for an id that JSON-LD would not take as it is.
    """
    disclosures: Mapping[str, Any] = document.get("disclosures", {})
    texts = {digest: entry["value"] for digest, entry in disclosures.items()}
    type_name = read_type(document).wire
    return {
        "@context": A2AP_CONTEXT_URL,
        "@id": document["@id"],
        "@type": type_name,
        **_prepare_members(document, _message_terms(type_name), texts),
    }


@cache
def _message_terms(type_name: str) -> Terms:
    context = load_document(A2AP_CONTEXT_URL)["document"]["@context"]
    # What every message has stands at the top of the context, beside the prefixes and the types.
    common = {name: term for name, term in context.items() if isinstance(term, dict) and ":" not in name}
    return {**common, **context[type_name]["@context"]}


def _prepare_members(node: Mapping[str, Any], terms: Terms, texts: Mapping[str, str]) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, value in node.items():
        term = terms.get(name)
        if term is None or value is None or name.startswith("@"):
            continue
        term = term if isinstance(term, dict) else {"@id": term}
        if name in _REFERENCES:
            members |= _prepare_references(name, value)
        elif name == "source":
            members |= _prepare_source(value, term, texts)
        elif isinstance(value, Mapping) and "@context" not in term:
            members |= _prepare_redactable(name, term["@id"], value["digest"], texts)
        else:
            members[name] = _prepare_value(name, value, term, texts)
    return members


def _prepare_value(name: str, value: Any, term: Terms, texts: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_prepare_value(name, item, term, texts) for item in value]
    names_node = term.get("@type") == "@id"
    if isinstance(value, Mapping):
        node = _prepare_members(_with_milliseconds(value) if name == "timestamp" else value, term["@context"], texts)
        return node | {"@id": _checked_id(name, value["@id"])} if names_node else node
    if isinstance(value, bool):
        return {"@value": str(value).lower(), "@type": XSD.BOOLEAN}
    if isinstance(value, int | float):
        if term.get("@type") == XSD.INTEGER:
            return {"@value": str(value), "@type": XSD.INTEGER}
        return {"@value": decimal_text(value), "@type": XSD.DECIMAL}
    return _checked_id(name, value) if names_node else value


def _prepare_redactable(name: str, iri: str, digest: str, texts: Mapping[str, str]) -> dict[str, str]:
    return {f"{iri}Digest": digest} | ({name: texts[digest]} if digest in texts else {})


def _prepare_references(name: str, value: Any) -> dict[str, Any]:
    qualified, reference_class, target = _REFERENCES[name]
    return {
        qualified: [
            {
                "@type": reference_class,
                target: {"@id": _checked_id(name, reference["@id"])},
                "a2ap:targetHash": reference["targetHash"],
            }
            for reference in (value if isinstance(value, list) else [value])
        ]
    }


def _prepare_source(source: Mapping[str, Any], term: Terms, texts: Mapping[str, str]) -> dict[str, Any]:
    terms = term["@context"]
    members = _prepare_members(source, terms, texts)
    # Who registers sets the boundary: it is said of the registration, not of the bytes.
    boundary = {"a2ap:boundary": members.pop("boundary")} if "boundary" in members else {}
    described: dict[str, Any] = {"@id": document_iri(source["documentHash"])}
    for name, value in members.items():
        definition = terms[name]
        if isinstance(definition, dict):
            described[definition["@id"]] = _typed(value, definition["@type"])
        else:
            described[definition] = value
    return {"source": _checked_id("source", source["@id"]), "a2ap:registeredDocument": described, **boundary}


def _typed(value: Any, kind: str) -> Any:
    if kind == "@id":
        return {"@id": value}
    return {"@value": value, "@type": kind} if isinstance(value, str) else value


def _with_milliseconds(cue: Mapping[str, Any]) -> dict[str, Any]:
    return {
        **cue,
        "startMilliseconds": cue.get("startMilliseconds", parse_cue_time(cue["start"])),
        "endMilliseconds": cue.get("endMilliseconds", parse_cue_time(cue["end"])),
    }


def _checked_id(name: str, value: str) -> str:
    prefix, _, rest = value.partition(":")
    if prefix in _PREFIXES and not rest.startswith("//"):
        raise FieldError(name, f"is {value!r}, which JSON-LD reads as an abbreviation of another id")
    # pyld leaves out what it takes for no IRI, without a word.
    if any(map(str.isspace, value)):
        raise FieldError(name, f"is {value!r}, which has a space in it")
    return value
