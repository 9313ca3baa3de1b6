"""Records of other formats in PROV-O, beside the facts of their registrations: once, where each first came.

A Context Passport is an entity that its event, an activity, generated; it was derived from the records that it is
joined to, and attributed to an agent only if a key proves it. Facts that only the record states are left out. The joins
of packets and of the records about them are for readers of their class.
"""

from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence

from a2ap.boundary import Boundary
from a2ap.json_text import MAX_INTEGER
from a2ap.messages.generated_by import activity_iri
from a2ap.messages.record_registration import RecordFormat, RecordRegistration
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, document_iri
from a2ap.rdf.vocabulary import PROV, RDF, XSD
from a2ap.times import format_instant, instant_of
from graph.clearance import Reader, boundary_of
from graph.export.documents import StoredMessage
from graph.export.pack_triples import packs
from graph.export.packet_triples import packet_records, packets
from graph.records.formats import READERS
from graph.records.passport_chain import MAX_PARENTS, is_proved
from graph.store import Row, Store

Writer = Callable[[Store, Sequence[str], int], Awaitable[Mapping[str, Sequence[Triple]]]]
"""Returns the triples of records by the hash of their bytes, as of a size of the log."""

WriterForReaders = Callable[[Store, Sequence[str], Reader, int], Awaitable[Mapping[str, Sequence[Triple]]]]
"""The same for a reader that may have them."""


async def record_triples(
    store: Store, page: Sequence[StoredMessage], clearance: Boundary = Boundary.PUBLIC, size: int = MAX_INTEGER
) -> list[Triple]:
    """Return the triples of the records that were first registered in a page of the log of that size."""
    wanted: defaultdict[RecordFormat, list[str]] = defaultdict(list)
    for stored in page:
        if isinstance(stored.message, RecordRegistration):
            wanted[stored.message.format].append(stored.message.document_hash)
    places = {stored.entry.log_index for stored in page}
    reader = Reader(clearance)
    found: list[Triple] = []
    for format, names in wanted.items():
        if format not in READERS:
            continue
        known = await store.read("records_known", hashes=sorted(set(names)))
        rows = [row for row in known if row["held"] and row["log_index"] in places]
        first = [row["record_hash"] for row in rows if row["label"] == READERS[format].label]
        by_hash: Mapping[str, Sequence[Triple]] = {}
        if format in WRITERS:
            by_hash = await WRITERS[format](store, first, size)
        elif format in WRITERS_FOR_READERS:
            own = {row["record_hash"] for row in rows if reader.may_read(boundary_of(row["boundary"]))}
            by_hash = await WRITERS_FOR_READERS[format](store, [name for name in first if name in own], reader, size)
        found += [triple for name in first for triple in by_hash.get(name, ())]
    return found


async def _passports(store: Store, hashes: Sequence[str], size: int) -> dict[str, list[Triple]]:
    parents: defaultdict[str, list[str]] = defaultdict(list)
    for row in await store.read("passport_parents", hashes=hashes, size=size, first=MAX_PARENTS):
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
        at = instant_of(row["event_micros"])
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


async def _packs(store: Store, hashes: Sequence[str], _size: int) -> Mapping[str, Sequence[Triple]]:
    # The content that a pack names is its own word, whether that is here or not.
    return await packs(store, hashes)


WRITERS: dict[RecordFormat, Writer] = {RecordFormat.PASSPORT: _passports, RecordFormat.PACK: _packs}
WRITERS_FOR_READERS: dict[RecordFormat, WriterForReaders] = {
    RecordFormat.PACKET: packets,
    RecordFormat.RECEIPT: packet_records,
    RecordFormat.RETURN: packet_records,
    RecordFormat.DISPOSITION: packet_records,
}
