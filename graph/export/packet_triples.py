"""Context Packets and the records about them in PROV-O, for readers of their class alone.

A packet is an entity and a plan, which its recipient was given to act by. It was derived from the subjects of its
items, and is a revision of the packet that it supersedes. A receipt, return or disposition is an entity that an
activity generated, which used the packet; if a key proves the signer, that agent was associated with the activity, and
had the packet as its plan.
"""

from collections import defaultdict
from collections.abc import Sequence

from a2ap.messages.generated_by import activity_iri
from a2ap.packet.looks import read_moment
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Literal, Triple, blank_label, document_iri
from a2ap.rdf.vocabulary import PROV, RDF, XSD
from a2ap.times import format_instant
from graph.clearance import Reader
from graph.store import Row, Store

_FIRST = 100_000
"""Joins of the packets of one page of an export; a packet has up to a thousand."""

_ECHOES = "ECHOES"


async def packets(store: Store, hashes: Sequence[str], reader: Reader, size: int) -> dict[str, list[Triple]]:
    """Return the triples of packets by their hash, for a reader that may have them, as of a size of the log."""
    within = {"names": list(hashes), "as_of": size, "first": _FIRST, "readable": list(reader.readable)}
    sources: defaultdict[str, list[str]] = defaultdict(list)
    for row in await store.read("story_item_statements", **within):
        sources[row["parent"]].append(row["id"])
    for row in await store.read("story_item_documents", **within):
        sources[row["parent"]].append(document_iri(row["name"]))
    earlier: defaultdict[str, list[str]] = defaultdict(list)
    for row in await store.read("story_superseded_packets", **within):
        earlier[row["parent"]].append(document_iri(row["name"]))
    rows = await store.read("packets_by_hash", hashes=list(hashes))
    return {
        row["record_hash"]: packet_triples(row, sources[row["record_hash"]], earlier[row["record_hash"]])
        for row in rows
    }


def packet_triples(row: Row, sources: Sequence[str], earlier: Sequence[str]) -> list[Triple]:
    """Return the triples of a packet; `sources` and `earlier` are the IRIs of its subjects and superseded packets."""
    packet = document_iri(row["record_hash"])
    triples: list[Triple] = [(packet, RDF.TYPE, kind) for kind in (A2AP.CONTEXT_PACKET, PROV.ENTITY, PROV.PLAN)]
    if (made := _instant(row["created_at"])) is not None:
        triples.append((packet, PROV.GENERATED_AT_TIME, made))
    for source in dict.fromkeys(sources):
        triples += [(packet, PROV.WAS_DERIVED_FROM, source), (source, RDF.TYPE, PROV.ENTITY)]
    for other in dict.fromkeys(earlier):
        triples += [
            (packet, PROV.WAS_REVISION_OF, other),
            (packet, PROV.WAS_DERIVED_FROM, other),
            (other, RDF.TYPE, PROV.ENTITY),
        ]
    return triples


async def packet_records(store: Store, hashes: Sequence[str], reader: Reader, size: int) -> dict[str, list[Triple]]:
    """Return the triples of records about packets by their hash, for a reader that may have them."""
    about: defaultdict[str, list[Row]] = defaultdict(list)
    names, readable = list(hashes), list(reader.readable)
    for row in await store.read("packet_records_about", hashes=names, size=size, readable=readable):
        about[row["record_hash"]].append(row)
    rows = await store.read("packet_records_by_hash", hashes=names)
    return {row["record_hash"]: packet_record_triples(row, about[row["record_hash"]]) for row in rows}


def packet_record_triples(row: Row, about: Sequence[Row]) -> list[Triple]:
    """Return the triples of a record, from rows of `packet_records_by_hash` and `packet_records_about`."""
    record, activity = document_iri(row["record_hash"]), activity_iri(row["record_hash"])
    triples: list[Triple] = [
        (record, RDF.TYPE, A2AP.PACKET_RECORD),
        (record, RDF.TYPE, PROV.ENTITY),
        (record, PROV.WAS_GENERATED_BY, activity),
        (activity, RDF.TYPE, PROV.ACTIVITY),
        (activity, A2AP.EVENT_TYPE, (row["event"] or row["kind"], XSD.STRING)),
    ]
    if (ended := _instant(row["at"])) is not None:
        triples.append((activity, PROV.ENDED_AT_TIME, ended))
    for one in about:
        used = document_iri(one["about"])
        triples += [(activity, PROV.USED, used), (used, RDF.TYPE, PROV.ENTITY)]
    plans = [document_iri(one["about"]) for one in about if one["relation"] == _ECHOES]
    for place, agent in enumerate(sorted(row["signers"])):
        association = f"{blank_label(row['record_hash'])}a{place}"
        triples += [
            (activity, PROV.WAS_ASSOCIATED_WITH, agent),
            (agent, RDF.TYPE, PROV.AGENT),
            (activity, PROV.QUALIFIED_ASSOCIATION, association),
            (association, RDF.TYPE, PROV.ASSOCIATION),
            (association, PROV.HAS_AGENT, agent),
        ]
        for plan in plans:
            triples += [(association, PROV.HAD_PLAN, plan), (plan, RDF.TYPE, PROV.PLAN)]
    return triples


def _instant(text: str | None) -> Literal | None:
    """Return a time stated in a packet or record as a literal; None for a text that is no time."""
    found = read_moment(text)
    return None if found is None else (format_instant(found), XSD.DATE_TIME)
