"""Rows of statements: made from the value; tests hold them equal to the statement's PROV-O triples."""

from a2ap.identifiers import chunk_key
from a2ap.log.entry import LogEntry
from a2ap.messages.statement import ProvenanceStatement, Reference
from a2ap.rdf.statement_facts import EvidenceFacts, StatementFacts, facts_of
from a2ap.times import format_instant
from graph.disputes.keys import claim_key, subject_key
from graph.kinds.signatures import signing_key
from graph.kinds.state import State
from graph.log.row_lists import Row, Rows, add_generated_by


def add_statement_rows(
    rows: Rows, message: ProvenanceStatement, entry: LogEntry, state: State, chunk_texts: tuple[str, ...]
) -> None:
    """Add the rows of a statement, its evidence and its references; `chunk_texts` as in `graph.kinds.rows.add_rows`."""
    assert message.envelope.signature is not None
    facts = facts_of(message)
    rows.add(
        "write_statements",
        {
            "agent_id": facts.agent_id,
            "signed_hash": entry.signed_hash,
            "document_hash": entry.document_hash,
            "statement_id": facts.statement_id,
            "claim_text": facts.claim_text,
            "claim_key": claim_key(facts.claim_text),
            "subject_key": subject_key(facts.claim_text),
            "confidence": facts.confidence,
            "generation_method": facts.generation_method,
            "content_hash": facts.content_hash,
            "content_hash_rule": message.claim.content_hash_rule,
            "signature": message.envelope.signature.text,
            "key_id": signing_key(message, state),
            "generated_at": facts.generated_at,
            "received_at": format_instant(entry.received_at),
            "log_index": entry.log_index,
            "position": len(rows.by_query["write_statements"]),
            "context": message.envelope.context,
            "origin": entry.peer_origin,
            "machine_check": "INCONCLUSIVE",
            "machine_reason": None,
        },
    )
    for evidence, text in zip(facts.evidence, chunk_texts or ("",) * len(facts.evidence), strict=True):
        row = citation_row(entry.signed_hash, evidence, text)
        rows.add("write_citations", row)
        if text:
            rows.add("write_search_passages", {"chunk_key": row["chunk_key"]})
    if state.ids[entry.id] != entry.signed_hash:
        rows.add("write_twins", {"statement_id": entry.id})
    _add_references(rows, entry.signed_hash, facts)
    add_generated_by(rows, "write_statement_records", entry.signed_hash, facts.generated_by)


def citation_row(signed_hash: str, evidence: EvidenceFacts, text: str) -> Row:
    """Return the row of one evidence segment: the chunk, its document, and the CITES edge."""
    document_key = evidence.document_hash or evidence.source_document
    return {
        "signed_hash": signed_hash,
        "document_key": document_key,
        "document_hash": evidence.document_hash,
        "source_document": evidence.source_document,
        "chunk_key": chunk_key(document_key, evidence.byte_start, evidence.byte_end),
        "chunk_id": evidence.chunk_id,
        "content_hash": evidence.content_hash,
        "text": text,
        "position": evidence.position,
        "byte_start": evidence.byte_start,
        "byte_end": evidence.byte_end,
        "timestamp_start": evidence.timestamp_start,
        "timestamp_end": evidence.timestamp_end,
        "start_milliseconds": evidence.start_milliseconds,
        "end_milliseconds": evidence.end_milliseconds,
        "quote_text": evidence.quote_text,
        "quote_digest": evidence.quote_digest,
        "relevance_score": evidence.relevance_score,
        "page": evidence.page,
    }


def _add_references(rows: Rows, signed_hash: str, facts: StatementFacts) -> None:
    revised: tuple[Reference, ...] = (facts.was_revision_of,) if facts.was_revision_of else ()
    for query, references in (
        ("write_supports", facts.supports),
        ("write_contradicts", facts.contradicts),
        ("write_revisions", revised),
    ):
        for reference in references:
            rows.add(query, {"signed_hash": signed_hash, "target_hash": reference.target_hash})
