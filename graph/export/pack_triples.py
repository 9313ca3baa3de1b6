"""What Context Packs are in PROV-O: a run is an activity that used prompts and inputs and generated outputs."""

from collections import defaultdict
from collections.abc import Sequence

from a2ap.generated_by import activity_iri
from a2ap.pack.go_time import NO_TIME
from a2ap.triples import Triple, document_iri
from a2ap.vocabulary import A2AP, PROV, RDF, XSD
from graph.store import Row, Store

_OUTPUT = "output"


async def packs(store: Store, hashes: Sequence[str]) -> dict[str, list[Triple]]:
    """Return the triples of packs by their hash."""
    contents: defaultdict[str, list[Row]] = defaultdict(list)
    for row in await store.read("contents_of_packs", hashes=list(hashes)):
        contents[row["pack"]].append(row)
    rows = await store.read("packs_by_hash", hashes=list(hashes))
    return {row["record_hash"]: pack_triples(row, contents[row["record_hash"]]) for row in rows}


def pack_triples(row: Row, contents: Sequence[Row]) -> list[Triple]:
    """Return the triples of a pack, from rows of `packs_by_hash.cypher` and `contents_of_packs.cypher`."""
    record, run = document_iri(row["record_hash"]), activity_iri(row["record_hash"])
    triples: list[Triple] = [
        (record, RDF.TYPE, A2AP.CONTEXT_PACK),
        (record, RDF.TYPE, PROV.ENTITY),
        (record, PROV.WAS_GENERATED_BY, run),
        (run, RDF.TYPE, PROV.ACTIVITY),
    ]
    if row["created"] is not None and row["created"] != NO_TIME:
        triples.append((run, PROV.ENDED_AT_TIME, (row["created"], XSD.DATE_TIME)))
    if row["parent"] is not None:
        informing = activity_iri(row["parent"])
        triples += [(run, PROV.WAS_INFORMED_BY, informing), (informing, RDF.TYPE, PROV.ACTIVITY)]
    for name in dict.fromkeys(one["content_hash"] for one in contents):
        triples.append((document_iri(name), RDF.TYPE, PROV.ENTITY))
    for part, name in dict.fromkeys((one["part"] == _OUTPUT, one["content_hash"]) for one in contents):
        content = document_iri(name)
        triples.append((content, PROV.WAS_GENERATED_BY, run) if part else (run, PROV.USED, content))
    return triples
