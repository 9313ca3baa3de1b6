// The citations of these statements, in the order of each statement: the edge, the chunk and the document.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN s.signed_hash AS statement, r.position AS position, r.quote_text AS quote_text,
       r.relevance_score AS relevance_score, r.timestamp_start AS cited_start, r.timestamp_end AS cited_end,
       r.start_milliseconds AS start_milliseconds, r.end_milliseconds AS end_milliseconds,
       r.page AS page, r.source_document AS source_document, r.chunk_id AS cited_chunk_id, r.content_hash AS cited_content_hash,
       c.chunk_key AS chunk_key, c.chunk_id AS chunk_id, c.content_hash AS content_hash, c.text AS text, c.redacted AS passage_redacted,
       c.byte_start AS byte_start, c.byte_end AS byte_end, c.timestamp_start AS timestamp_start,
       c.timestamp_end AS timestamp_end,
       d.document_key AS document_key, d.document_hash AS document_hash, d.doc_id AS doc_id, d.title AS title,
       d.media_type AS media_type, d.byte_length AS byte_length, d.boundary AS boundary, d.held AS held,
       d.registered AS registered, d.redacted AS document_redacted,
       d.licence AS licence, d.rights_holder AS rights_holder,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros
ORDER BY position
