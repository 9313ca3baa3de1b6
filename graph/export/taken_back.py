"""The triples that say of a statement that its author took it back or revised it, which other messages state."""

from a2ap.log.entry import LogEntry
from a2ap.times import format_instant
from a2ap.triples import Triple
from a2ap.vocabulary import A2AP, PROV, RDF, XSD
from graph.store import Store


async def taken_back_triples(store: Store, entry: LogEntry) -> list[Triple]:
    """Return what holds of the statement of this entry: the retraction that ended it, and its author's revisions."""
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
            if row["reason"] is not None:
                triples.append((name, A2AP.REASON, (row["reason"], XSD.STRING)))
    for row in await store.read("own_revisions_of", hashes=[entry.signed_hash]):
        if row["key_trusted"]:
            triples += [
                (row["revision_id"], PROV.WAS_REVISION_OF, entry.id),
                (row["revision_id"], RDF.TYPE, PROV.ENTITY),
            ]
    return triples
