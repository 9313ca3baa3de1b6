"""The redacted messages of the whole log: no graph of the past contains their original content."""

from graph.content.content_store import ContentStore
from graph.database.pages import pages_of
from graph.log.entry import entry_from_row
from graph.retention.erasing import all_redactions
from graph.retention.standing import redacted_messages
from graph.store import Store

_PAGE = 500


async def redacted_in_log(live: Store, content: ContentStore) -> dict[str, str]:
    """Return the hash under which each redacted message is kept now, by its signed hash."""
    found: dict[str, str] = {}
    places = [record.log_index async for record in all_redactions(live)]
    for page in pages_of(places, _PAGE):
        rows = await live.read("log_entries_at", places=page)
        found |= await redacted_messages(content, [entry_from_row(row) for row in rows])
    return found
