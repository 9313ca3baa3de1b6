"""Triples of a message's references: a plain property, and a node with the hash that binds the reference."""

from collections.abc import Sequence
from dataclasses import dataclass

from a2ap.messages.generated_by import activity_iri
from a2ap.messages.reference import Reference
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple
from a2ap.rdf.vocabulary import PROV, RDF, XSD


@dataclass(frozen=True, slots=True)
class Qualified:
    """The terms of one kind of reference: the plain property, the one that leads to the node, and the node's class.

    `mark` tells its nodes from the other nodes of the message.
    """

    mark: str
    plain: str
    qualified: str
    node_class: str


def add_references(
    triples: list[Triple],
    subject: str,
    label: str,
    said: Qualified,
    references: Sequence[Reference],
    *,
    to_verdicts: bool = False,
) -> None:
    """Add references to statements, or to verdicts: each with the signed hash of its target."""
    target = A2AP.TARGET_VERIFICATION if to_verdicts else A2AP.TARGET_STATEMENT
    for position, reference in enumerate(references):
        node = f"{label}{said.mark}{position}"
        triples += [
            (subject, said.plain, reference.id),
            (subject, said.qualified, node),
            (node, RDF.TYPE, said.node_class),
            (node, target, reference.id),
            (node, A2AP.TARGET_HASH, (reference.target_hash, XSD.STRING)),
            (reference.id, RDF.TYPE, PROV.ACTIVITY if to_verdicts else PROV.ENTITY),
        ]


def add_activities(
    triples: list[Triple], subject: str, label: str, said: Qualified, record_hashes: Sequence[str]
) -> None:
    """Add the activities from which a message was made, each with the hash of its record."""
    for position, record_hash in enumerate(record_hashes):
        node, activity = f"{label}{said.mark}{position}", activity_iri(record_hash)
        triples += [
            (subject, said.plain, activity),
            (subject, said.qualified, node),
            (node, RDF.TYPE, said.node_class),
            (node, PROV.HAS_ACTIVITY, activity),
            (node, A2AP.RECORD_HASH, (record_hash, XSD.STRING)),
            (activity, RDF.TYPE, PROV.ACTIVITY),
        ]
