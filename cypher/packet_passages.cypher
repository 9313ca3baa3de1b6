// The first passages that each of these statements cites, in its order, with the document and who registered it when.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})
CALL (s) {
  MATCH (s)-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
  RETURN r, c, d
  ORDER BY r.position
  LIMIT $first
}
RETURN s.signed_hash AS statement, r.position AS position, r.source_document AS source_document,
       c.chunk_key AS chunk_key, c.text AS text, c.byte_start AS byte_start, c.byte_end AS byte_end,
       c.redacted AS passage_redacted,
       d.document_key AS document, d.document_hash AS document_hash, d.doc_id AS document_name,
       d.media_type AS media_type, d.boundary AS boundary, d.held AS held, d.redacted AS document_redacted,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros,
       [(d)<-[g:REGISTERED]-(:Agent) WHERE g.signed_hash = d.registration_hash |
        g.timestamp.epochSeconds * 1000000 + g.timestamp.microsecond] AS registered_micros,
       s.received_at.epochSeconds * 1000000 + s.received_at.microsecond AS received_micros
ORDER BY statement, position
