"""What records of other formats are in PROV-O, beside what their registrations say: once, where each first came.

A Context Passport is an entity that its event, an activity, generated; it was derived from the records that it is
joined to, and attributed to an agent only where a key proves it. What only the record says of itself is not here.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from a2ap.generated_by import activity_iri
from a2ap.record_registration import RecordFormat, RecordRegistration
from a2ap.times import format_instant
from a2ap.triples import Triple, document_iri
from a2ap.vocabulary import A2AP, PROV, RDF, XSD
from graph.export.documents import StoredMessage
from graph.export.pack_triples import packs
from graph.records.passport_chain import is_proved
from graph.store import Row, Store

Writer = Callable[[Store, Sequence[str]], Awaitable[Mapping[str, Sequence[Triple]]]]
"""Returns the triples of records by the hash of their bytes."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


async def record_triples(store: Store, page: Sequence[StoredMessage]) -> list[Triple]:
    """Return the triples of the records that were first registered in a page of the log."""
    wanted: defaultdict[RecordFormat, list[str]] = defaultdict(list)
    for stored in page:
        if isinstance(stored.message, RecordRegistration):
            wanted[stored.message.format].append(stored.message.document_hash)
    places = {stored.entry.log_index for stored in page}
    found: list[Triple] = []
    for format, write in WRITERS.items():
        hashes = sorted(set(wanted[format]))
        if hashes:
            known = await store.read("records_known", hashes=hashes)
            first = [row["record_hash"] for row in known if row["held"] and row["log_index"] in places]
            by_hash = await write(store, first) if first else {}
            found += [triple for name in first for triple in by_hash.get(name, ())]
    return found


async def _passports(store: Store, hashes: Sequence[str]) -> dict[str, list[Triple]]:
    parents: defaultdict[str, list[str]] = defaultdict(list)
    for row in await store.read("passport_parents", hashes=hashes):
        parents[row["child"]].append(row["parent"])
    rows = await store.read("passports_by_hash", hashes=hashes)
    return {row["record_hash"]: passport_triples(row, parents[row["record_hash"]]) for row in rows}


def passport_triples(row: Row, parents: Sequence[str]) -> list[Triple]:
    """Return the triples of a passport, from a row of `passports_by_hash.cypher` and the hashes of its parents."""
    record, event = document_iri(row["record_hash"]), activity_iri(row["record_hash"])
    triples: list[Triple] = [
        (record, RDF.TYPE, A2AP.CONTEXT_PASSPORT),
        (record, RDF.TYPE, PROV.ENTITY),
        (record, PROV.WAS_GENERATED_BY, event),
        (event, RDF.TYPE, PROV.ACTIVITY),
    ]
    if row["event_type"] is not None:
        triples.append((event, A2AP.EVENT_TYPE, (row["event_type"], XSD.STRING)))
    if row["event_micros"] is not None:
        at = _EPOCH + timedelta(microseconds=row["event_micros"])
        triples.append((event, PROV.ENDED_AT_TIME, (format_instant(at), XSD.DATE_TIME)))
    if is_proved(row):
        agent = row["proved_agent"]
        triples += [
            (record, PROV.WAS_ATTRIBUTED_TO, agent),
            (event, PROV.WAS_ASSOCIATED_WITH, agent),
            (agent, RDF.TYPE, PROV.AGENT),
        ]
    for parent in parents:
        triples += [
            (record, PROV.WAS_DERIVED_FROM, document_iri(parent)),
            (event, PROV.USED, document_iri(parent)),
            (document_iri(parent), RDF.TYPE, PROV.ENTITY),
        ]
    return triples


WRITERS: dict[RecordFormat, Writer] = {RecordFormat.PASSPORT: _passports, RecordFormat.PACK: packs}
