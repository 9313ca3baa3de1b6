"""Context Packs in PROV-O: a run is an activity that used prompts and inputs and generated outputs.

So is each of its steps, which generated its result. PROV-O has no activity within another and no order of them: the run
has its steps by `a2ap:step`, and each has its place, `a2ap:position`.
"""

from collections import defaultdict
from collections.abc import Sequence

from a2ap.messages.generated_by import activity_iri
from a2ap.pack.go_time import NO_TIME, in_utc
from a2ap.rdf.own_vocabulary import A2AP
from a2ap.rdf.triples import Triple, document_iri
from a2ap.rdf.vocabulary import PROV, RDF, XSD
from graph.store import Row, Store

_OUTPUT = "output"


async def packs(store: Store, hashes: Sequence[str]) -> dict[str, list[Triple]]:
    """Return the triples of packs by their hash."""
    contents: defaultdict[str, list[Row]] = defaultdict(list)
    for row in await store.read("contents_of_packs", hashes=list(hashes)):
        contents[row["pack"]].append(row)
    steps: defaultdict[str, list[Row]] = defaultdict(list)
    for row in await store.read("steps_of_packs", hashes=list(hashes)):
        steps[row["pack"]].append(row)
    rows = await store.read("packs_by_hash", hashes=list(hashes))
    found: dict[str, list[Triple]] = {}
    for row in rows:
        name = row["record_hash"]
        triples = pack_triples(row, contents[name])
        triples += (triple for step in steps[name] for triple in step_triples(step))
        # A step may have returned content that the run used or generated.
        found[name] = list(dict.fromkeys(triples))
    return found


def pack_triples(row: Row, contents: Sequence[Row]) -> list[Triple]:
    """Return the triples of a pack without its steps, from rows of `packs_by_hash` and `contents_of_packs`."""
    record, run = document_iri(row["record_hash"]), activity_iri(row["record_hash"])
    triples: list[Triple] = [
        (record, RDF.TYPE, A2AP.CONTEXT_PACK),
        (record, RDF.TYPE, PROV.ENTITY),
        (record, PROV.WAS_GENERATED_BY, run),
        (run, RDF.TYPE, PROV.ACTIVITY),
    ]
    triples += _ended(run, row["created"])
    if row["parent"] is not None:
        informing = activity_iri(row["parent"])
        triples += [(run, PROV.WAS_INFORMED_BY, informing), (informing, RDF.TYPE, PROV.ACTIVITY)]
    for name in dict.fromkeys(one["content_hash"] for one in contents):
        triples.append((document_iri(name), RDF.TYPE, PROV.ENTITY))
    for part, name in dict.fromkeys((one["part"] == _OUTPUT, one["content_hash"]) for one in contents):
        content = document_iri(name)
        triples.append((content, PROV.WAS_GENERATED_BY, run) if part else (run, PROV.USED, content))
    return triples


def step_triples(row: Row) -> list[Triple]:
    """Return the triples of one step, from a row of `steps_of_packs.cypher`."""
    run = activity_iri(row["pack"])
    step = f"{run}#{row['position']}"
    triples: list[Triple] = [
        (run, A2AP.STEP, step),
        (step, RDF.TYPE, PROV.ACTIVITY),
        (step, A2AP.POSITION, (str(row["position"]), XSD.INTEGER)),
    ]
    if row["tool"]:
        triples.append((step, A2AP.TOOL, (row["tool"], XSD.STRING)))
    triples += _ended(step, row["timestamp"])
    if row["output_hash"] is not None:
        output = document_iri(row["output_hash"])
        triples += [(output, RDF.TYPE, PROV.ENTITY), (output, PROV.WAS_GENERATED_BY, step)]
    return triples


def _ended(activity: str, text: str | None) -> list[Triple]:
    """Return the time at which an activity ended, in UTC as every time of an export; nothing for no time."""
    moment = in_utc(text) if text is not None and text != NO_TIME else None
    return [] if moment is None else [(activity, PROV.ENDED_AT_TIME, (moment, XSD.DATE_TIME))]
