"""What the graph says of a source once its bytes are held: that they are, and the text of its chunks."""

from functools import partial
from typing import Any

from graph.content_store import ContentStore
from graph.machine import CHUNK_TEXT_LIMIT, chunk_text
from graph.store import Store, Transaction

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
        await store.write(partial(_write, query="write_chunk_texts", rows=page))


async def mark_held(store: Store, document_hash: str, byte_length: int) -> None:
    """Note in the graph that the bytes of a document are in the content store."""
    await store.write(
        partial(_write, query="mark_document_held", document_hash=document_hash, byte_length=byte_length)
    )


async def _write(transaction: Transaction, query: str, **parameters: Any) -> None:
    await transaction.run(query, **parameters)
