"""Every message as a nanopublication, in TriG or in N-Quads: the triples of the Turtle export, in named graphs.

The proven facts about records of other formats belong to no message, and stand in a graph of their own
(`RECORDS_GRAPH`). N-Quads are canonical lines, sorted and each once within each page of the log. A later page may
repeat only the type of a node that records are joined to, so that `sort -u` of the whole file by bytes is canonical
order; blank node labels are the same in every export.
"""

from collections.abc import AsyncIterator

from a2ap.rdf.nanopublication import RECORDS_GRAPH, nanopublication
from a2ap.rdf.nquads import NamedGraph, nquads_block, trig_block
from a2ap.rdf.ntriples import TURTLE_HEADER
from a2ap.rdf.vocabulary import NP_NAMESPACE
from graph.export.documents import StoredMessage
from graph.export.reader import ExportReader
from graph.export.record_triples import record_triples
from graph.export.redaction import redacted_message


async def trig(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the nanopublications as TriG; text above the clearance is left out."""
    if reader.is_fresh:
        yield f"{TURTLE_HEADER}@prefix np: <{NP_NAMESPACE}> .\n".encode()
    async for page in reader.messages():
        yield trig_block(await named_graphs(reader, page)).encode()


async def nquads(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the same quads as N-Quads, one a line; there is no comment in them."""
    async for page in reader.messages():
        yield nquads_block(await named_graphs(reader, page)).encode()


async def named_graphs(reader: ExportReader, page: list[StoredMessage]) -> list[NamedGraph]:
    """Return the graphs of a page of messages, in log order, the graph of records last."""
    graphs = [graph for stored in page for graph in nanopublication(stored.entry, redacted_message(stored))]
    if of_records := await record_triples(reader.store, page, reader.clearance, reader.size):
        graphs.append(NamedGraph(RECORDS_GRAPH, tuple(of_records)))
    return graphs
