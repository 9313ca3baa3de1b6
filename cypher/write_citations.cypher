// Writes the evidence of statements: chunk, document, and the statement's own description of them on the edge.
// The hash of a passage that was erased is not kept, as by write_redacted_passages.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
MERGE (d:Document {document_key: row.document_key})
  ON CREATE SET d.document_hash = row.document_hash, d.doc_id = row.source_document, d.held = false,
                d.registered = false
  ON MATCH SET d.doc_id = coalesce(d.doc_id, row.source_document), d.registered = coalesce(d.registered, false)
MERGE (c:Chunk {chunk_key: row.chunk_key})
  ON CREATE SET c.chunk_id = row.chunk_id, c.doc_id = row.source_document,
                c.document_hash = row.document_hash, c.content_hash = row.content_hash, c.text = row.text,
                c.byte_start = row.byte_start, c.byte_end = row.byte_end,
                c.timestamp_start = row.timestamp_start, c.timestamp_end = row.timestamp_end
MERGE (c)-[:PART_OF]->(d)
CREATE (s)-[:CITES {position: row.position, chunk_id: row.chunk_id, source_document: row.source_document,
                    content_hash: CASE WHEN c.redacted IS NULL THEN row.content_hash END, quote_text: row.quote_text,
                    quote_digest: row.quote_digest,
                    relevance_score: row.relevance_score, timestamp_start: row.timestamp_start,
                    timestamp_end: row.timestamp_end, start_milliseconds: row.start_milliseconds,
                    end_milliseconds: row.end_milliseconds, page: row.page}]->(c)
