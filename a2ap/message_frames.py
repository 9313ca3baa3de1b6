"""What the triples of most messages have in common: class, time, agent and signature, and lists."""

from collections.abc import Sequence

from a2ap.envelope import Envelope
from a2ap.statement_triples import add_signature
from a2ap.triples import Literal, Triple, blank_label
from a2ap.vocabulary import PROV, RDF, XSD


def entity_triples(envelope: Envelope, message_class: str, time_member: str) -> list[Triple]:
    """Return what every message but a response has: class, time, agent, signature."""
    triples: list[Triple] = [
        (envelope.id, RDF.TYPE, message_class),
        (envelope.id, RDF.TYPE, PROV.ENTITY),
        (envelope.id, PROV.GENERATED_AT_TIME, (envelope.document[time_member], XSD.DATE_TIME)),
        (envelope.id, PROV.WAS_ATTRIBUTED_TO, envelope.agent_id),
        (envelope.agent_id, RDF.TYPE, PROV.AGENT),
    ]
    add_signature(triples, envelope.id, envelope.signature, blank_label(envelope.signed_hash))
    return triples


def activity_triples(envelope: Envelope, message_class: str, time_member: str) -> list[Triple]:
    """Return what a message has that is something done: class, time of its end, who did it, signature."""
    triples: list[Triple] = [
        (envelope.id, RDF.TYPE, message_class),
        (envelope.id, RDF.TYPE, PROV.ACTIVITY),
        (envelope.id, PROV.ENDED_AT_TIME, (envelope.document[time_member], XSD.DATE_TIME)),
        (envelope.id, PROV.WAS_ASSOCIATED_WITH, envelope.agent_id),
        (envelope.agent_id, RDF.TYPE, PROV.AGENT),
    ]
    add_signature(triples, envelope.id, envelope.signature, blank_label(envelope.signed_hash))
    return triples


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
