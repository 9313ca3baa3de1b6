"""Search hits for display: the claim, its citations, and the places of the terms in them.

Only texts that the reader may see are searched, so that no place reveals a withheld text.
"""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graph.clearance import Reader
from graph.search.expression import Field, Term
from graph.search.fusion import Ranked
from graph.search.matching import Allowance, Span, spans_of
from graph.search.search import SearchAnswer
from graph.store import Row, Store
from graph.withholding import Withholding

MAX_EVIDENCE = 20
"""The maximum number of passages shown of one statement; those with terms come first."""

_MAX_LOOKED_AT = 5 * MAX_EVIDENCE  # passages of one statement, in its order


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text and the places of the terms in it: half-open, in characters."""

    text: str
    highlights: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """A passage that a statement cites: its quote, or the text of the source; "" if `withheld` has a reason."""

    chunk_id: str
    source_document: str
    byte_start: int
    byte_end: int
    quote: ShownText
    withheld: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A statement that was found."""

    ranked: Ranked
    statement_id: str
    agent_id: str
    claim: ShownText
    evidence: tuple[ShownEvidence, ...]
    verified: bool
    consensus_score: float


async def hits_of(store: Store, reader: Reader, answer: SearchAnswer) -> list[Hit]:
    """Return the hits of an answer, in its order."""
    if not answer.found:
        return []
    hashes = answer.hashes
    rows = {row["signed_hash"]: row for row in await store.read("statements_by_hash", hashes=hashes)}
    cited = await evidence_of(store, reader, hashes, answer.query.terms)
    return await asyncio.to_thread(_hits, answer, rows, cited)


async def evidence_of(
    store: Store, reader: Reader, hashes: Sequence[str], terms: Sequence[Term]
) -> dict[str, tuple[ShownEvidence, ...]]:
    """Return the citations of these statements, as far as the reader may see them, with the places of the terms."""
    rows = await store.read("citations_of", hashes=list(hashes))
    named = [{**row, "document_name": row["doc_id"]} for row in rows]
    reasons = await Withholding(store, reader.clearance).of_documents(named)
    return await asyncio.to_thread(_shown, rows, reasons, terms)


def _shown(
    rows: Sequence[Row], reasons: Sequence[str | None], terms: Sequence[Term]
) -> dict[str, tuple[ShownEvidence, ...]]:
    found: defaultdict[str, list[ShownEvidence]] = defaultdict(list)
    allowance = Allowance()
    for row, reason in zip(rows, reasons, strict=True):
        if len(found[row["statement"]]) < _MAX_LOOKED_AT:
            found[row["statement"]].append(_evidence(row, row["passage_redacted"] or reason, terms, allowance))
    # Sorting keeps the statement's own order among equals.
    return {
        name: tuple(sorted(shown, key=lambda one: not one.quote.highlights)[:MAX_EVIDENCE])
        for name, shown in found.items()
    }


def _evidence(row: Row, withheld: str | None, terms: Sequence[Term], allowance: Allowance) -> ShownEvidence:
    text = "" if withheld else row["quote_text"] or row["text"] or ""
    return ShownEvidence(
        chunk_id=row["cited_chunk_id"],
        source_document=row["source_document"],
        byte_start=row["byte_start"],
        byte_end=row["byte_end"],
        quote=ShownText(text, spans_of(allowance.take(text), terms, Field.EVIDENCE)),
        withheld=withheld,
    )


def _hits(answer: SearchAnswer, rows: Mapping[str, Row], cited: Mapping[str, tuple[ShownEvidence, ...]]) -> list[Hit]:
    return [
        _hit(one, rows[one.signed_hash], cited.get(one.signed_hash, ()), answer.query.terms)
        for one in answer.found
        if one.signed_hash in rows
    ]


def _hit(ranked: Ranked, row: Row, evidence: tuple[ShownEvidence, ...], terms: Sequence[Term]) -> Hit:
    claim = row["claim_text"]
    return Hit(
        ranked=ranked,
        statement_id=row["statement_id"],
        agent_id=row["agent_id"],
        claim=ShownText(claim, spans_of(claim, terms, Field.CLAIM)),
        evidence=evidence,
        verified=row["verified"],
        consensus_score=row["consensus_score"],
    )
