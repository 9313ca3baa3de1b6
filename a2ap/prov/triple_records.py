"""PROV records from the PROV-O triples of records of other formats, which are named by hashes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from a2ap.prov.names import NAMESPACES, hashed_name, own_name
from a2ap.prov.record import PROV_TYPE, Attributes, Bundle, Kind, Record, bundle_of
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple
from a2ap.rdf.vocabulary import PROV, RDF, XSD

_THINGS: Final = {PROV.ENTITY: Kind.ENTITY, PROV.ACTIVITY: Kind.ACTIVITY, PROV.AGENT: Kind.AGENT}
_RELATIONS: Final = {
    PROV.WAS_GENERATED_BY: Kind.GENERATION,
    PROV.USED: Kind.USAGE,
    PROV.WAS_DERIVED_FROM: Kind.DERIVATION,
    PROV.WAS_REVISION_OF: Kind.DERIVATION,
    PROV.WAS_INFORMED_BY: Kind.COMMUNICATION,
    PROV.WAS_ATTRIBUTED_TO: Kind.ATTRIBUTION,
    PROV.WAS_ASSOCIATED_WITH: Kind.ASSOCIATION,
}
_OF_AGENTS: Final = (Kind.ATTRIBUTION, Kind.ASSOCIATION)
_THREE: Final = (Kind.GENERATION, Kind.USAGE, Kind.ASSOCIATION)


def triples_bundle(name: str, triples: Iterable[Triple]) -> Bundle:
    """Return the records that triples of `graph.export.record_triples` state; `name` is unique among the bundles.

    A statement that a record names has only its id in the triples, so that it is an entity of its own, with that name.
    """
    known = list(triples)
    records = [record for triple in known for record in _records(*triple)]
    return bundle_of(NAMESPACES["b"] + name, [*records, *_plans(known)])


def _records(subject: str, predicate: str, value: str | tuple[str, str]) -> Iterator[Record]:
    """Yield the record of a triple, none for those of blank nodes (`_plans`) and those without a place in PROV-DM."""
    if subject.startswith("_:"):
        return
    if predicate == RDF.TYPE and isinstance(value, str):
        yield from _thing(subject, value)
    elif predicate in _RELATIONS and isinstance(value, str):
        kind = _RELATIONS[predicate]
        target = own_name(value, "agent") if kind in _OF_AGENTS else _bound(value)
        revised: Attributes = ((PROV_TYPE, PROV.REVISION),) if predicate == PROV.WAS_REVISION_OF else ()
        yield Record(kind, (subject, target, None) if kind in _THREE else (subject, target), revised)
    elif predicate == PROV.ENDED_AT_TIME and not isinstance(value, str):
        yield Record(Kind.ACTIVITY, (subject, None, value[0]))
    elif predicate == PROV.GENERATED_AT_TIME and not isinstance(value, str):
        yield Record(Kind.GENERATION, (subject, None, value[0]))
    elif predicate == A2AP.EVENT_TYPE:
        yield Record(Kind.ACTIVITY, (subject, None, None), ((predicate, value),))


def _thing(subject: str, type_name: str) -> Iterator[Record]:
    kind = _THINGS.get(type_name)
    if kind is Kind.AGENT:
        yield Record(kind, (own_name(subject, "agent"),))
    elif kind is Kind.ACTIVITY:
        yield Record(kind, (subject, None, None))
    elif _bound(subject) != subject:
        yield Record(Kind.ENTITY, (_bound(subject),), ((A2AP.NAME, (subject, XSD.STRING)),))
    else:  # the types of a record, beside being an entity
        yield Record(Kind.ENTITY, (subject,), () if kind is Kind.ENTITY else ((PROV_TYPE, type_name),))


def _bound(iri: str) -> str:
    """Return the name of a thing that is named by a hash, or of a message that is named by its id alone."""
    return iri if iri.startswith((NAMESPACES["ni"], NAMESPACES["act"])) else hashed_name(iri, "statement")


def _plans(triples: Iterable[Triple]) -> Iterator[Record]:
    """Yield the associations that have a plan."""
    stated: dict[str, dict[str, str]] = {}
    for subject, predicate, value in triples:
        if predicate == PROV.QUALIFIED_ASSOCIATION and isinstance(value, str):
            stated.setdefault(value, {})["activity"] = subject
        elif predicate == PROV.HAS_AGENT and isinstance(value, str):
            stated.setdefault(subject, {})["agent"] = own_name(value, "agent")
        elif predicate == PROV.HAD_PLAN and isinstance(value, str):
            yield from _with_plan(stated[subject], value)


def _with_plan(association: Mapping[str, str], plan: str) -> Iterator[Record]:
    yield Record(Kind.ASSOCIATION, (association["activity"], association["agent"], plan))
