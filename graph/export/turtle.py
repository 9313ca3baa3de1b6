"""The PROV-O triples of everything accepted as Turtle, message by message in log order, made from the stored bytes."""

from collections.abc import AsyncIterator

from a2ap.rdf.ntriples import TURTLE_HEADER, turtle_block
from a2ap.rdf.provenance import triples
from graph.export.reader import ExportReader
from graph.export.record_triples import record_triples
from graph.export.redaction import redacted_message


async def turtle(reader: ExportReader) -> AsyncIterator[bytes]:
    """Yield the Turtle of the messages; text above the clearance is left out, and counted at the end.

    It has the signed messages, the facts about records of other formats, and no derived value: no score, no `verified`.
    """
    if reader.is_fresh:
        yield (_HEADER.format(subject=reader.subject, clearance=reader.clearance.value) + TURTLE_HEADER).encode()
    async for page in reader.messages():
        reader.count("messages", len(page))
        reader.count("withheld", sum(stored.withheld is not None for stored in page))
        blocks = [turtle_block(triples(redacted_message(stored))) for stored in page]
        blocks.append(turtle_block(await record_triples(reader.store, page, reader.clearance, reader.size)))
        yield "".join(blocks).encode()
    messages, withheld = reader.tally.get("messages", 0), reader.tally.get("withheld", 0)
    yield f"# The end: {messages} messages; of {withheld} some text is withheld.\n".encode()


_HEADER = """\
# An A2AP provenance graph in PROV-O, as Turtle: what agents had signed, of {subject}.
# Its reader is cleared for {clearance}; quotes of sources of a higher class, and words about them, are left out.
"""
