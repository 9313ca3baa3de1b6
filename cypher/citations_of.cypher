// What these statements cite, in the order of each statement: the edge, the chunk and the document.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN s.signed_hash AS statement,
       r {.position, .quote_text, .relevance_score, .timestamp_start, .timestamp_end, .start_milliseconds,
          .end_milliseconds, .source_document, .chunk_id, .content_hash} AS citation,
       c {.chunk_key, .chunk_id, .doc_id, .document_hash, .content_hash, .text, .byte_start, .byte_end,
          .timestamp_start, .timestamp_end} AS chunk,
       d {.document_key, .document_hash, .doc_id, .title, .media_type, .byte_length, .boundary, .held,
          .registered} AS document
ORDER BY r.position
