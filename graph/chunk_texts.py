"""Fills in the text of the chunks of a source whose bytes are held."""

from graph.content_store import ContentStore
from graph.machine import CHUNK_TEXT_LIMIT, chunk_text
from graph.store import Store

_PAGE = 500


async def fill_chunk_texts(store: Store, content: ContentStore, document_hash: str) -> None:
    """Give every chunk of the document that has no text yet the text of its bytes."""
    chunks = await store.read("chunks_of_document", document_hash=document_hash)
    length = await content.size(document_hash)
    rows = []
    for chunk in chunks:
        start, end = chunk["byte_start"], chunk["byte_end"]
        if end <= length and end - start <= CHUNK_TEXT_LIMIT:
            text = chunk_text(await content.get(document_hash, start, end))
            rows.append({"chunk_key": chunk["chunk_key"], "text": text})
    for first in range(0, len(rows), _PAGE):
        page = rows[first : first + _PAGE]
        await store.write(lambda transaction, page=page: transaction.run("write_chunk_texts", rows=page))
