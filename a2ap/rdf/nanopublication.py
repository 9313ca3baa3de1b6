"""A message as a nanopublication: a head, an assertion, its provenance, and the publication info.

The three parts hold the triples of `a2ap.rdf.provenance.triples`, each in exactly one of them, and the relations
between the parts are added: their union with the head is the message's graph and the frame around it. The parts are
named by the message's signed hash, because its id does not bind (`docs/reference/provenance.md`).

- **Assertion**: the claim, verdict, registration or decision.
- **Provenance**: its agent, time and sources: everything of PROV-O, and of a statement all but its claim.
- **Publication info**: the signature, and the place in the log.

Trusty URIs and signatures of nanopublications are not used: the message is signed already, as JSON.
"""

from typing import Final

from a2ap.log.entry import LogEntry
from a2ap.messages.message import Message, MessageType
from a2ap.rdf.nquads import NamedGraph
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.provenance import triples
from a2ap.rdf.triples import Triple, blank_label
from a2ap.rdf.vocabulary import NP, PROV, PROV_NAMESPACE, RDF, XSD
from a2ap.times import format_instant

NANOPUBLICATION_PREFIX: Final = "urn:a2ap:nanopublication:"
RECORDS_GRAPH: Final = "urn:a2ap:records"
"""The graph of proved facts about records of other formats, which no message of ours states."""

_FRAME = (PROV.GENERATED_AT_TIME, PROV.ENDED_AT_TIME, PROV.WAS_ATTRIBUTED_TO, PROV.WAS_ASSOCIATED_WITH)
_ASSERTED = frozenset(
    (A2AP.CLAIM, A2AP.SUPPORTS, A2AP.CONTRADICTS, A2AP.QUALIFIED_SUPPORT, A2AP.QUALIFIED_CONTRADICTION)
)
# The end, after a message's label, of the names of a claim's node, and of those that it supports and contradicts.
_ASSERTED_NODES = ("c", "p", "n")


def nanopublication_iri(signed_hash: str) -> str:
    """Return the IRI of the nanopublication of a message."""
    return NANOPUBLICATION_PREFIX + signed_hash


def graph_names(signed_hash: str) -> tuple[str, ...]:
    """Return the IRIs of the graphs of a message's nanopublication."""
    name = nanopublication_iri(signed_hash)
    return tuple(f"{name}#{part}" for part in ("head", "assertion", "provenance", "pubinfo"))


def nanopublication(entry: LogEntry, message: Message) -> tuple[NamedGraph, ...]:
    """Return head, assertion, provenance and publication info of a message that is in the log."""
    envelope = message.envelope
    name, label = nanopublication_iri(envelope.signed_hash), blank_label(envelope.signed_hash)
    _, assertion, provenance, info = graph_names(envelope.signed_hash)
    is_statement = envelope.type is MessageType.STATEMENT
    parts: dict[str, list[Triple]] = {assertion: [], provenance: [], info: []}
    for triple in triples(message):
        if _is_signature(triple, label):
            parts[info].append(triple)
        else:
            asserted = _is_claim(triple, label) if is_statement else _is_said(triple, envelope.id)
            parts[assertion if asserted else provenance].append(triple)
    parts[provenance].append((assertion, PROV.WAS_ATTRIBUTED_TO, envelope.agent_id))
    parts[info] += [
        (name, A2AP.PUBLISHED_MESSAGE, envelope.id),
        (name, A2AP.SIGNED_HASH, (envelope.signed_hash, XSD.STRING)),
        (name, A2AP.LOG_INDEX, (str(entry.log_index), XSD.INTEGER)),
        (name, A2AP.RECEIVED_AT, (format_instant(entry.received_at), XSD.DATE_TIME)),
        (name, PROV.WAS_ATTRIBUTED_TO, envelope.agent_id),
    ]
    return (_head(name), *(NamedGraph(graph, tuple(held)) for graph, held in parts.items()))


def _head(name: str) -> NamedGraph:
    return NamedGraph(
        f"{name}#head",
        (
            (name, RDF.TYPE, NP.NANOPUBLICATION),
            (name, NP.HAS_ASSERTION, f"{name}#assertion"),
            (name, NP.HAS_PROVENANCE, f"{name}#provenance"),
            (name, NP.HAS_PUBLICATION_INFO, f"{name}#pubinfo"),
        ),
    )


def _is_signature(triple: Triple, label: str) -> bool:
    subject, predicate, _ = triple
    return predicate == A2AP.SIGNATURE or subject == label + "s"


def _is_claim(triple: Triple, label: str) -> bool:
    subject, predicate, _ = triple
    return predicate in _ASSERTED or (subject.startswith(label) and subject[len(label)] in _ASSERTED_NODES)


def _is_said(triple: Triple, message_id: str) -> bool:
    """Say whether a triple of a message other than a statement belongs to its assertion, not to its provenance."""
    subject, predicate, value = triple
    if predicate in _FRAME and subject == message_id:
        return False
    if predicate == RDF.TYPE:
        return not (isinstance(value, str) and value.startswith(PROV_NAMESPACE))
    return not predicate.startswith(PROV_NAMESPACE)
