"""The triples of a statement that other messages state: that it was retracted or revised, or is a probe."""

from a2ap.log.entry import LogEntry
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, blank_label
from a2ap.rdf.vocabulary import PROV, RDF, XSD
from a2ap.times import format_instant
from graph.store import Store


async def taken_back_triples(store: Store, entry: LogEntry, *, withheld: bool = False) -> list[Triple]:
    """Return the triples of a statement's retraction, its author's revisions, and the label that reveals a probe."""
    triples: list[Triple] = []
    for row in await store.read("retractions_of", hashes=[entry.signed_hash]):
        if row["key_trusted"]:
            name = row["retraction_id"]
            triples += [
                (entry.id, PROV.WAS_INVALIDATED_BY, name),
                (name, RDF.TYPE, A2AP.RETRACTION),
                (name, RDF.TYPE, PROV.ACTIVITY),
                (name, PROV.ENDED_AT_TIME, (format_instant(row["retracted_at"]), XSD.DATE_TIME)),
                (name, PROV.WAS_ASSOCIATED_WITH, row["agent_id"]),
            ]
            if row["reason"] is not None and not withheld:
                triples.append((name, A2AP.REASON, (row["reason"], XSD.STRING)))
    for row in await store.read("own_revisions_of", hashes=[entry.signed_hash]):
        if row["key_trusted"]:
            triples += [
                (row["revision_id"], PROV.WAS_REVISION_OF, entry.id),
                (row["revision_id"], RDF.TYPE, PROV.ENTITY),
            ]
    return triples + await _probe_triples(store, entry)


async def _probe_triples(store: Store, entry: LogEntry) -> list[Triple]:
    """Return the label that reveals a statement as a probe, as the label itself states it."""
    triples: list[Triple] = []
    for row in await store.read("gold_labels_of", hashes=[entry.signed_hash]):
        if row["probe"] and row["marked"]:
            name, node = row["label_id"], blank_label(row["signed_hash"]) + "p"
            triples += [
                (name, RDF.TYPE, A2AP.GOLD_LABEL),
                (name, RDF.TYPE, PROV.ENTITY),
                (name, PROV.WAS_ATTRIBUTED_TO, row["agent_id"]),
                (name, A2AP.TARGET_STATEMENT, entry.id),
                (name, A2AP.CRITERION, (row["criterion"], XSD.STRING)),
                (name, A2AP.LABEL, ("PASS" if row["passes"] else "FAIL", XSD.STRING)),
                (name, A2AP.REVEALED_PROBE, node),
                (node, A2AP.COMMITMENT, (row["commitment"], XSD.STRING)),
            ]
    return triples
