"""The PROV-O triples of everything accepted as Turtle, message by message in log order, made from the stored bytes."""

from collections.abc import AsyncIterator

from a2ap.boundary import Boundary
from a2ap.ntriples import TURTLE_HEADER, turtle_block
from a2ap.provenance import triples
from graph.content.content_store import ContentStore
from graph.export.documents import stored_messages
from graph.export.record_triples import record_triples
from graph.export.redaction import redacted_message
from graph.store import Store


async def turtle(store: Store, content: ContentStore, size: int, clearance: Boundary) -> AsyncIterator[str]:
    """Yield the Turtle of the first `size` log entries; text above the clearance is left out, and counted at the end.

    It has what agents signed, what records of other formats are, and nothing that was derived: no score, no `verified`.
    """
    yield _HEADER.format(size=size, clearance=clearance.value) + TURTLE_HEADER
    withheld = 0
    async for page in stored_messages(store, content, size, clearance):
        withheld += sum(stored.withheld is not None for stored in page)
        yield "".join(turtle_block(triples(redacted_message(stored))) for stored in page)
        yield turtle_block(await record_triples(store, page))
    yield f"# The end: {size} messages; of {withheld} some text is withheld.\n"


_HEADER = """\
# An A2AP provenance graph in PROV-O, as Turtle: what agents had signed when the log had {size} entries.
# Its reader is cleared for {clearance}; quotes of sources of a higher class, and words about them, are left out.
"""
