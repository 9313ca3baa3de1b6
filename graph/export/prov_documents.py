"""The PROV data model in its three notations: PROV-N, PROV-JSON and PROV-JSONLD, a bundle a message.

The records of one message, and the proven facts about records of other formats in a page of the log, are a bundle each;
nothing is derived from signed messages but that. `a2ap.prov` has the names, and the reason why the whole satisfies
PROV-CONSTRAINTS.
"""

from collections.abc import AsyncIterator, Callable

from a2ap.prov import (
    PROV_JSON_END,
    PROV_JSONLD_END,
    PROVN_END,
    Bundle,
    message_bundle,
    prov_json_bundle,
    prov_json_header,
    prov_jsonld_bundle,
    prov_jsonld_header,
    provn_bundle,
    provn_header,
    triples_bundle,
)
from graph.export.documents import StoredMessage
from graph.export.reader import ExportReader
from graph.export.record_triples import record_triples
from graph.export.redaction import redacted_message

_SAID = "An A2AP provenance graph in PROV: what agents had signed when the log had {size} entries, for {clearance}."
_BUNDLES = "bundles"


async def provn(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield a PROV-N document."""
    if reader.is_fresh:
        yield provn_header(_SAID.format(size=reader.size, clearance=reader.clearance.value)).encode()
    async for page in reader.messages():
        yield "".join(map(provn_bundle, await bundles(reader, page))).encode()
    yield PROVN_END.encode()


async def prov_json(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield a PROV-JSON document."""
    async for piece in _listed(reader, prov_json_header(), prov_json_bundle, PROV_JSON_END):
        yield piece


async def prov_jsonld(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield a PROV-JSONLD document."""
    async for piece in _listed(reader, prov_jsonld_header(), prov_jsonld_bundle, PROV_JSONLD_END):
        yield piece


async def bundles(reader: ExportReader, page: list[StoredMessage]) -> list[Bundle]:
    """Return the bundles of a page of messages, in log order, the bundle of records last."""
    found = [message_bundle(redacted_message(stored)) for stored in page]
    if of_records := await record_triples(reader.store, page, reader.clearance, reader.size):
        found.append(triples_bundle(f"records-{page[0].entry.log_index}", of_records))
    return found


async def _listed(reader: ExportReader, header: str, write: Callable[[Bundle], str], end: str) -> AsyncIterator[bytes]:
    """Yield bundles with a comma between them; the tally tells an export that goes on whether one is due."""
    if reader.is_fresh:
        yield header.encode()
    async for page in reader.messages():
        pieces = [write(bundle) for bundle in await bundles(reader, page)]
        separator = ",\n" if reader.tally.get(_BUNDLES) else ""
        reader.count(_BUNDLES, len(pieces))
        yield (separator + ",\n".join(pieces)).encode()
    yield end.encode()
