"""Keeps the vectors of search up to the log: entry by entry, in bounded batches, resuming at the last stored place.

Rules:

- It follows the log and nothing waits for it: a submission is answered before its vectors are made.
- A statement brings its claim and the passages that it cites. The registration of a source, a redaction, and a machine
  check after bytes have arrived bring their passages again: with another class or text, or none.
- Processing an entry twice has the same result as once, so that the place is stored after a batch and nothing is
  locked.
- Passages that are erased lose their vectors in the transaction that erases them, if these are in the graph, and here
  as well: a text that was read just before cannot come back.
"""

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from a2ap.boundary import Boundary
from a2ap.errors import A2APError
from a2ap.log.entry import LogEntry
from a2ap.messages.message import MessageType, read_message
from a2ap.messages.record_registration import RecordRegistration
from a2ap.messages.redaction import Redaction
from a2ap.messages.source_registration import SourceRegistration
from graph.content.content_store import ContentStore
from graph.errors import ContentError, EmbeddingError
from graph.log.entry import entry_from_row
from graph.search.meaning import Meaning
from graph.search.vectors import IndexState, TextKind, TextVector
from graph.store import Row, Store

logger = logging.getLogger(__name__)

BATCH = 64
"""The number of entries read at once, and of texts sent to a model at once."""

_PAGE = 500
_REMEMBERED = 20_000  # texts that need not be embedded again

_OF_DOCUMENTS = (MessageType.SOURCE_REGISTRATION, MessageType.RECORD_REGISTRATION, MessageType.REDACTION)


@dataclass(frozen=True, slots=True)
class _Text:
    """A text as stored in the graph; "" if there is none to embed."""

    kind: TextKind
    boundary: Boundary
    text: str


class Indexing:
    """Brings vectors up to the log."""

    def __init__(self, store: Store, content: ContentStore, meaning: Meaning, node_agent: str) -> None:
        self._store = store
        self._content = content
        self._meaning = meaning
        self._node_agent = node_agent
        self._done: dict[str, bytes] = {}

    async def catch_up(self) -> AsyncIterator[IndexState]:
        """Process the log from the last stored place; yield the new state after each batch.

        Raises EmbeddingError or StoreError; batches whose state was yielded are done.
        """
        state = await self._meaning.prepare()
        if state.log_size == 0:
            self._done.clear()
        while rows := await self._store.read("log_entries_from", start=state.log_size, first=BATCH):
            await self._take([entry_from_row(row) for row in rows], state.dimension)
            state = replace(state, log_size=rows[-1]["log_index"] + 1)
            await self._meaning.vectors.advance(state)
            yield state

    async def log_size(self) -> int:
        """Return the log size that the vectors cover."""
        state = await self._meaning.vectors.state()
        return state.log_size if state is not None else 0

    async def _take(self, entries: Sequence[LogEntry], dimension: int) -> None:
        statements = await self._statements(entries)
        if statements:
            rows = await self._store.read("texts_to_embed", hashes=statements)
            await self._embed(self._texts_of_statements(rows), dimension)
        for document_hash in await self._documents(entries):
            async for page in self._passages(document_hash):
                await self._embed(page, dimension)

    async def _statements(self, entries: Sequence[LogEntry]) -> list[str]:
        """Return the statements of the entries, and those that the machine has checked again."""
        found = [entry.signed_hash for entry in entries if entry.type == MessageType.STATEMENT]
        looks = [
            entry.signed_hash
            for entry in entries
            if entry.type == MessageType.VERIFICATION_RESPONSE and entry.agent == self._node_agent
        ]
        rows = await self._store.read("targets_of", hashes=looks) if looks else []
        return list(dict.fromkeys([*found, *(row["statement"] for row in rows)]))

    async def _documents(self, entries: Sequence[LogEntry]) -> list[str]:
        """Return the hashes of the documents that the entries concern."""
        found = []
        for entry in entries:
            if entry.type not in _OF_DOCUMENTS:
                continue
            try:
                message = read_message(await self._content.get(entry.document_hash))
            except (A2APError, ContentError) as error:
                logger.warning("entry %d says nothing of vectors: %s", entry.log_index, error)
                continue
            if isinstance(message, SourceRegistration | RecordRegistration | Redaction) and message.document_hash:
                found.append(message.document_hash)
        return list(dict.fromkeys(found))

    async def _passages(self, document_hash: str) -> AsyncIterator[dict[str, _Text]]:
        after = ""
        while rows := await self._store.read("passages_to_embed", hashes=[document_hash], after=after, first=_PAGE):
            after = rows[-1]["chunk_key"]
            yield {row["chunk_key"]: self._passage(row) for row in rows}

    def _texts_of_statements(self, rows: Sequence[Row]) -> dict[str, _Text]:
        texts = {}
        for row in rows:
            texts[row["signed_hash"]] = _Text(TextKind.CLAIM, Boundary.PUBLIC, row["claim_text"])
            if row["chunk_key"] is not None:
                texts[row["chunk_key"]] = self._passage(row)
        return texts

    def _passage(self, row: Row) -> _Text:
        """Return the text of a passage; "" if it is erased, or the model is not cleared for it."""
        boundary = Boundary(row["boundary"])
        given = not row["redacted"] and self._meaning.embedder.clearance.covers(boundary)
        return _Text(TextKind.PASSAGE, boundary, row["text"] or "" if given else "")

    async def _embed(self, texts: Mapping[str, _Text], dimension: int) -> None:
        gone = [key for key, one in texts.items() if not one.text]
        await self._meaning.vectors.remove(gone)
        for key in gone:
            self._done.pop(key, None)
        new = [(key, one) for key, one in texts.items() if one.text and self._done.get(key) != _digest(one)]
        for start in range(0, len(new), BATCH):
            page = new[start : start + BATCH]
            vectors = await self._meaning.embedder.embed([one.text for _, one in page])
            if vectors.shape[1] != dimension:
                model = self._meaning.embedder.model
                raise EmbeddingError(f"{model} had {dimension} dimensions, and now has {vectors.shape[1]}")
            await self._meaning.vectors.put(
                [
                    TextVector(key, one.kind, one.boundary, tuple(float(number) for number in vector))
                    for (key, one), vector in zip(page, vectors, strict=True)
                    if vector.any()
                ]
            )
            if len(self._done) > _REMEMBERED:
                self._done.clear()
            self._done |= {key: _digest(one) for key, one in page}


def _digest(text: _Text) -> bytes:
    return sha256(f"{text.boundary.value}|{text.text}".encode("utf-8", "surrogatepass")).digest()
