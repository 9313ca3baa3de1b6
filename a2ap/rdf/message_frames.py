"""The triples that most messages have in common: class, time, agent and signature, and lists."""

from collections.abc import Sequence

from a2ap.messages.envelope import Envelope
from a2ap.rdf.statement_triples import add_signature
from a2ap.rdf.triples import Literal, Triple, blank_label
from a2ap.rdf.vocabulary import A2AP_NAMESPACE, PROV, RDF, XSD


def entity_triples(envelope: Envelope, time_member: str) -> list[Triple]:
    """Return the triples that every message but a response has: class, time, agent, signature."""
    time = (PROV.GENERATED_AT_TIME, time_member)
    return _frame(envelope, PROV.ENTITY, time, PROV.WAS_ATTRIBUTED_TO)


def activity_triples(envelope: Envelope, time_member: str) -> list[Triple]:
    """Return the triples of a message that is an activity: class, time of its end, agent, signature."""
    time = (PROV.ENDED_AT_TIME, time_member)
    return _frame(envelope, PROV.ACTIVITY, time, PROV.WAS_ASSOCIATED_WITH)


def add_texts(
    triples: list[Triple], envelope: Envelope, predicate: str, texts: Sequence[str], *, cell: str = "l"
) -> None:
    """Add a list of texts of the message itself; `cell` as in `add_list`."""
    add_list(triples, envelope, predicate, [(text, XSD.STRING) for text in texts], cell=cell)


def add_list(
    triples: list[Triple], envelope: Envelope, predicate: str, items: Sequence[str | Literal], *, cell: str = "l"
) -> None:
    """Add a list of IRIs, blank nodes or literals of the message; `cell` tells two lists of one message apart."""
    label = blank_label(envelope.signed_hash)
    cells = [f"{label}{cell}{position}" for position in range(len(items))] + [RDF.NIL]
    triples.append((envelope.id, predicate, cells[0]))
    for position, item in enumerate(items):
        triples += [(cells[position], RDF.FIRST, item), (cells[position], RDF.REST, cells[position + 1])]


def _frame(envelope: Envelope, prov_class: str, time: tuple[str, str], agency: str) -> list[Triple]:
    (time_property, time_member), subject = time, envelope.id
    triples: list[Triple] = [
        (subject, RDF.TYPE, A2AP_NAMESPACE + envelope.type.value),
        (subject, RDF.TYPE, prov_class),
        (subject, time_property, (envelope.document[time_member], XSD.DATE_TIME)),
        (subject, agency, envelope.agent_id),
        (envelope.agent_id, RDF.TYPE, PROV.AGENT),
    ]
    add_signature(triples, subject, envelope.signature, blank_label(envelope.signed_hash))
    return triples
