"""Loads documents and the evidence of statements, batched for one request, without text that the reader may not see."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strawberry.dataloader import DataLoader

from a2ap.boundary import Boundary, strictest
from graph.clearance import Reader, boundary_of
from graph.graphql.batches import Row, rows_by, values_by
from graph.graphql.chunk import Chunk, Evidence
from graph.graphql.connection import Connection, connect
from graph.graphql.redaction import Redaction
from graph.lists.ordered import END
from graph.lists.span import Span
from graph.retention.redactions import RedactionRecord
from graph.scoring.standing import ClaimKind
from graph.store import Store
from graph.verifier.claim_kind import kind_as_shown

if TYPE_CHECKING:
    from graph.graphql.loaders import Loaders


BYTES_OF_AN_OBJECT = 1024

Overlap = tuple[int | None, int | None]
"""The part of a document in which passages lie: the first byte and the byte after the last one, None for an end of it.
"""

_RECORDS = ("Passport", "Pack", "Packet")

# Above this number of characters, claims are compared with their quotes in a thread.
_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class _Cited:
    """The evidence of a statement, the strictest class of its documents, and the redaction of a passage, if any."""

    evidence: list[Evidence]
    boundary: Boundary
    redacted: str | None


class DocumentLoaders:
    """The loaders of documents, for one request; `loaders` are the request's other loaders."""

    def __init__(self, store: Store, reader: Reader, loaders: "Loaders") -> None:
        self._store = store
        self._reader = reader
        self._loaders = loaders
        self._cited = values_by(self._load_cited)
        self._chunks: DataLoader[tuple[str, Overlap, Span], list[Row]] = DataLoader(load_fn=self._load_chunks)
        self._citation_counts: DataLoader[tuple[str, int], list[Row]] = DataLoader(load_fn=self._load_citation_counts)
        self._redactions = rows_by(store, "redactions_of", "hashes", "document_hash")
        self._sources = rows_by(store, "sources_of", "keys", "document", readable=list(reader.readable))
        self._boundary_requests = rows_by(store, "boundary_requests_of", "keys", "document")
        self._record_kinds = rows_by(store, "record_kinds_of", "keys", "document")

    async def sources_of(self, document_key: str) -> list[Row]:
        """Return the rows of a document's sources; `readable` says whether the reader may see the description."""
        return await self._sources.load(document_key)

    async def boundary_requests_of(self, document_key: str) -> list[Row]:
        """Return the rows of a document's registrations with a class other than its own, newest first."""
        rows = await self._boundary_requests.load(document_key)
        self._loaders.spend(len(rows))
        return rows

    async def record_kind_of(self, document_key: str) -> str | None:
        """Return the label of the record that a document is, None if it is no passport, pack or packet."""
        rows = await self._record_kinds.load(document_key)
        return next((label for row in rows for label in row["labels"] if label in _RECORDS), None)

    async def redactions_of(self, document_hash: str | None) -> list[Redaction]:
        """Return the redactions of a document, oldest first."""
        return [Redaction.from_record(one) for one in await self._redactions_of(document_hash)]

    async def redactions_of_message(self, document_hash: str | None) -> list[Redaction]:
        """Return the redactions of a message, oldest first; redactions of a source with the same bytes are left out."""
        records = await self._redactions_of(document_hash)
        return [Redaction.from_record(one) for one in records if not one.of_source]

    async def evidence_of(self, signed_hash: str) -> list[Evidence]:
        """Return the evidence of a statement."""
        return (await self.evidence_of_all([signed_hash]))[0]

    async def evidence_of_all(self, hashes: Sequence[str]) -> list[list[Evidence]]:
        """Return the evidence of each statement, in the given order."""
        found: list[_Cited | None] = await self._cited.load_many(hashes)
        evidence = [[] if cited is None else cited.evidence for cited in found]
        self._loaders.spend(sum(map(len, evidence)))
        return evidence

    async def reasons_withheld_of(self, hashes: Sequence[str]) -> list[str | None]:
        """Return the reason why text about the evidence of each statement is withheld from this reader, or None."""
        found: list[_Cited | None] = await self._cited.load_many(hashes)
        return [
            None if cited is None else cited.redacted or self._reader.reason_withheld(cited.boundary) for cited in found
        ]

    async def reason_withheld_of(self, signed_hash: str) -> str | None:
        """Return the reason why text about a statement's evidence is withheld from this reader, None if it is not."""
        return (await self.reasons_withheld_of([signed_hash]))[0]

    async def claim_kinds_of(self, claims: Sequence[tuple[str, str]]) -> list[ClaimKind | None]:
        """Return the kind of each claim, given with its statement's hash, as this reader can tell it.

        If a text of its evidence is withheld, the kind is found without its evidence, or is None.
        """
        found: list[_Cited | None] = await self._cited.load_many([signed_hash for signed_hash, _ in claims])
        reasons = await self.reasons_withheld_of([signed_hash for signed_hash, _ in claims])
        shown = [
            [one.quote or one.chunk.text for one in (cited.evidence if cited else ())] if reason is None else None
            for cited, reason in zip(found, reasons, strict=True)
        ]
        characters = sum(len(text) for texts in shown for text in texts or ())
        self._loaders.spend(characters // BYTES_OF_AN_OBJECT)
        characters += sum(len(claim) for _, claim in claims)
        asked = [(claim, texts) for (_, claim), texts in zip(claims, shown, strict=True)]
        return await asyncio.to_thread(_kinds, asked) if characters > _AT_ONCE else _kinds(asked)

    async def shown_words(self, signed_hash: str, words: str | None) -> str | None:
        """Return text about a statement's evidence; None if there is none, or if this reader may not see it."""
        if words is None or await self.reason_withheld_of(signed_hash) is not None:
            return None
        return words

    async def citation_counts_of(self, document_key: str, parts: int) -> list[Row]:
        """Return the rows of the parts of a document in which citations begin, in their order."""
        rows = await self._citation_counts.load((document_key, parts))
        self._loaders.spend(len(rows))
        return rows

    async def connect_chunks(self, document_key: str, overlap: Overlap, span: Span) -> Connection[Chunk]:
        """Return a page of the chunks of a document."""

        async def find(span: Span) -> list[Row]:
            return await self._chunks.load((document_key, overlap, span))

        async def show(rows: Sequence[Row]) -> list[Chunk]:
            self._loaders.spend(len(rows))
            await self.mark_documents(rows)
            return [Chunk.from_row(row) for row in rows]

        return await connect(span, find, show, lambda row: (row["byte_start"], row["byte_end"]))

    async def _redactions_of(self, document_hash: str | None) -> list[RedactionRecord]:
        rows = [] if document_hash is None else await self._redactions.load(document_hash)
        return [RedactionRecord.from_row(row) for row in rows]

    async def mark_documents(self, rows: Sequence[Row]) -> None:
        """Set `effective_boundary` and `withheld` in each row of a document, chunk or citation."""
        unstated = {name for row in rows for name in _names(row)}
        others: defaultdict[str, list[str]] = defaultdict(list)
        if unstated:
            for row in await self._store.read("boundaries_of_sources", ids=sorted(unstated)):
                others[row["source_id"]].append(row["boundary"])
        for row in rows:
            boundary = boundary_of(row["boundary"], [other for name in _names(row) for other in others[name]])
            row["effective_boundary"] = boundary
            row["withheld"] = self._reader.reason_withheld(boundary)

    async def _load_chunks(self, keys: list[tuple[str, Overlap, Span]]) -> list[list[Row]]:
        by_span: defaultdict[tuple[Overlap, Span], list[str]] = defaultdict(list)
        for document, overlap, span in keys:
            by_span[overlap, span].append(document)
        found: defaultdict[tuple[str, Overlap, Span], list[Row]] = defaultdict(list)
        for (overlap, span), documents in by_span.items():
            low, high = span.low or (-1, -1), span.high or (END, END)
            between = {"low_start": low[0], "low_end": low[1], "high_start": high[0], "high_end": high[1]}
            overlapping = {"overlap_start": overlap[0], "overlap_end": overlap[1]}
            order = {"sign": span.sign, "limit": span.limit}
            read = self._store.read("chunks_by_document", keys=documents, **between, **overlapping, **order)
            for row in await read:
                found[row["document_key"], overlap, span].append(row)
        return [found[key] for key in keys]

    async def _load_citation_counts(self, keys: list[tuple[str, int]]) -> list[list[Row]]:
        by_parts: defaultdict[int, list[str]] = defaultdict(list)
        for document, parts in keys:
            by_parts[parts].append(document)
        found: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
        for parts, documents in by_parts.items():
            for row in await self._store.read("citation_counts_of", keys=documents, parts=parts):
                found[row["document"], parts].append(row)
        return [found[key] for key in keys]

    async def _load_cited(self, hashes: list[str]) -> dict[str, _Cited]:
        rows = await self._store.read("citations_of", hashes=hashes)
        await self.mark_documents(rows)
        by_statement: defaultdict[str, list[Row]] = defaultdict(list)
        for row in rows:
            by_statement[row["statement"]].append(row)
        return {name: _cited(found) for name, found in by_statement.items()}


def _names(row: Row) -> tuple[str, ...]:
    """Return the URNs of a document without a stated class."""
    if row["boundary"] is not None:
        return ()
    return tuple(name for name in (row["doc_id"], row.get("source_document")) if name is not None)


def _kinds(claims: Sequence[tuple[str, Sequence[str] | None]]) -> list[ClaimKind | None]:
    return [kind_as_shown(claim, texts) for claim, texts in claims]


def _cited(rows: Sequence[Row]) -> _Cited:
    return _Cited(
        evidence=[Evidence.from_row(row) for row in rows],
        boundary=strictest(*(row["effective_boundary"] for row in rows)),
        redacted=next((row["passage_redacted"] for row in rows if row["passage_redacted"]), None),
    )
