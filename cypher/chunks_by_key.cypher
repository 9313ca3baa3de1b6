// The cited chunks with these keys, with their documents.
UNWIND $keys AS key
MATCH (c:Chunk {chunk_key: key})-[:PART_OF]->(d:Document)
RETURN c.chunk_key AS chunk_key, c.chunk_id AS chunk_id, c.content_hash AS content_hash, c.text AS text, c.redacted AS passage_redacted,
       c.byte_start AS byte_start, c.byte_end AS byte_end, c.timestamp_start AS timestamp_start,
       c.timestamp_end AS timestamp_end,
       d.document_key AS document_key, d.document_hash AS document_hash, d.doc_id AS doc_id, d.title AS title,
       d.media_type AS media_type, d.byte_length AS byte_length, d.boundary AS boundary, d.held AS held,
       d.registered AS registered, d.redacted AS document_redacted,
       d.licence AS licence, d.rights_holder AS rights_holder,
       d.retain_until.epochSeconds * 1000000 + d.retain_until.microsecond AS retain_micros
ORDER BY byte_start, byte_end
