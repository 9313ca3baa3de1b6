"""The graph's properties of a source whose bytes are held: that they are held, and the text of its chunks."""

from collections.abc import Sequence
from functools import partial
from secrets import token_hex
from typing import Any

from graph.content.content_store import ContentStore
from graph.errors import RedactedError
from graph.evidence.machine import CHUNK_TEXT_LIMIT, chunk_text
from graph.retention.redactions import RedactionRecord
from graph.store import Store, Transaction

_PAGE = 500
_PAGE_BYTES = 1024 * 1024


async def fill_chunk_texts(store: Store, content: ContentStore, document_hash: str) -> None:
    """Set the text of every chunk of the document that has no text yet, from its bytes."""
    await fill_texts(store, content, document_hash, await store.read("chunks_of_document", document_hash=document_hash))


async def fill_texts(store: Store, content: ContentStore, name: str, chunks: Sequence[dict[str, Any]]) -> None:
    """Set the text of these chunks from the bytes of the content of that name."""
    length = await content.size(name)
    wanted = [
        chunk
        for chunk in chunks
        if chunk["byte_end"] <= length and chunk["byte_end"] - chunk["byte_start"] <= CHUNK_TEXT_LIMIT
    ]
    rows: list[dict[str, Any]] = []
    weight = 0
    for chunk in wanted:
        cited = await content.get(name, chunk["byte_start"], chunk["byte_end"])
        rows.append({"chunk_key": chunk["chunk_key"], "text": chunk_text(cited)})
        weight += len(cited)
        if len(rows) == _PAGE or weight > _PAGE_BYTES:
            await store.write(partial(_write_texts, rows=rows))
            rows, weight = [], 0
    if rows:
        await store.write(partial(_write_texts, rows=rows))


async def mark_held(store: Store, document_hash: str, byte_length: int) -> None:
    """Note in the graph that the bytes of a document are in the content store.

    Takes the lock of the log: a batch that was checked without these bytes is written before it, and then its
    statements are found citing them, or not at all. Raises `RedactedError` if the bytes were erased meanwhile.
    """
    await store.write(partial(_mark_held, document_hash=document_hash, byte_length=byte_length))


async def _mark_held(transaction: Transaction, document_hash: str, byte_length: int) -> None:
    await transaction.run("lock_log_head", nonce=token_hex(8))
    erased = await transaction.run("redactions_of", hashes=[document_hash])
    if erased:
        raise RedactedError(f"{document_hash} was {RedactionRecord.from_row(erased[-1]).sentence}")
    await transaction.run("mark_document_held", document_hash=document_hash, byte_length=byte_length)


async def _write_texts(transaction: Transaction, rows: list[dict[str, Any]]) -> None:
    # Under the lock of the log: the class of the document may become stricter meanwhile, and its texts have to follow.
    await transaction.run("lock_log_head", nonce=token_hex(8))
    await transaction.run("write_chunk_texts", rows=rows)
    await transaction.run("write_search_passages", rows=rows)
