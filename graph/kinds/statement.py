"""Statements: their sources, quotes and references are as stated, and the rows of the claim with its evidence.

Tests hold the rows equal to the statement's PROV-O triples.
"""

from a2ap.identifiers import chunk_key
from a2ap.log.entry import LogEntry
from a2ap.messages.statement import ProvenanceStatement, Reference
from a2ap.rdf.statement_facts import EvidenceFacts, StatementFacts, facts_of
from a2ap.times import format_instant
from graph.disputes.keys import claim_key, subject_key
from graph.errors import RedactedError, TargetError
from graph.kinds.kind import Kind, StoredContent, Terms
from graph.kinds.signatures import signing_key
from graph.kinds.state import ProbedRecord, State, StatementRecord
from graph.kinds.targets import find_statement
from graph.kinds.wanted_names import WantedNames
from graph.log.row_lists import Row, Rows, add_generated_by


def _names(message: ProvenanceStatement, wanted: WantedNames) -> None:
    revised = (message.was_revision_of,) if message.was_revision_of else ()
    for reference in (*message.supports, *message.contradicts, *revised):
        wanted.target_ids.add(reference.id)
    wanted.documents.update(s.document_hash for s in message.evidence if s.document_hash)
    wanted.sources.update(s.source_document for s in message.evidence if not s.document_hash)


def _check(message: ProvenanceStatement, state: State, _terms: Terms) -> None:
    _check_source_names(message)
    _check_references(message, state)
    _check_quotes(message, state)


def _record(message: ProvenanceStatement, state: State, _has_proof: bool) -> None:
    envelope = message.envelope
    state.add_statement(StatementRecord(envelope.signed_hash, envelope.id, envelope.agent_id))
    state.probed[envelope.signed_hash] = ProbedRecord(state.place, envelope.agent_id, judges=False)
    if message.contradicts:
        contradicted = {reference.target_hash for reference in message.contradicts}
        state.contradicted[envelope.signed_hash] = contradicted


def _add_rows(rows: Rows, message: ProvenanceStatement, entry: LogEntry, state: State, content: StoredContent) -> None:
    """Add the rows of a statement, its evidence and its references."""
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
    for evidence, text in zip(facts.evidence, content.chunk_texts or ("",) * len(facts.evidence), strict=True):
        row = _citation_row(entry.signed_hash, evidence, text)
        rows.add("write_citations", row)
        if text:
            rows.add("write_search_passages", {"chunk_key": row["chunk_key"]})
    if state.ids[entry.id] != entry.signed_hash:
        rows.add("write_twins", {"statement_id": entry.id})
    _add_references(rows, entry.signed_hash, facts)
    add_generated_by(rows, "write_statement_records", entry.signed_hash, facts.generated_by)


STATEMENT = Kind(
    ProvenanceStatement,
    agent_member="agent.@id",
    mutation=("submit_statement", "Submit a statement (a2ap:ProvenanceStatement)."),
    from_peers=True,
    names=_names,
    check=_check,
    record=_record,
    add_rows=_add_rows,
)


def _check_source_names(message: ProvenanceStatement) -> None:
    """Raise if a source has a hash as its name: the graph keeps sources under hash or name alike."""
    for index, segment in enumerate(message.evidence):
        if segment.document_hash is None and segment.source_document.startswith("sha256:"):
            raise TargetError(
                f"{segment.source_document} is a hash, which documentHash states", f"evidence[{index}].sourceDocument"
            )


def _check_references(message: ProvenanceStatement, state: State) -> None:
    """Raise `TargetError` if a statement refers to one that is not stored here, or not under that id and hash."""
    for path, references in (("supports", message.supports), ("contradicts", message.contradicts)):
        for index, reference in enumerate(references):
            find_statement(reference.id, reference.target_hash, state, f"{path}[{index}]")
    revised = message.was_revision_of
    if revised is not None:
        find_statement(revised.id, revised.target_hash, state, "prov:wasRevisionOf")


def _check_quotes(message: ProvenanceStatement, state: State) -> None:
    """Raise `RedactedError` if a statement quotes a passage that was erased: that would bring it back."""
    for index, segment in enumerate(message.evidence):
        if segment.quote_text is None:
            continue
        for known in state.redactions.get(segment.document_hash or segment.source_document, ()):
            if known.covers(segment.byte_range.start, segment.byte_range.end):
                raise RedactedError(f"the passage was {known.sentence}", f"evidence[{index}].quoteText")


def _citation_row(signed_hash: str, evidence: EvidenceFacts, text: str) -> Row:
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
