// The citations of the statements of a stretch of the log, in order, with the properties of the documents.
UNWIND range($start, $end - 1) AS place
MATCH (s:Statement {log_index: place})
MATCH (s)-[r:CITES]->(c:Chunk)
OPTIONAL MATCH (c)-[:PART_OF]->(d:Document)
RETURN s.signed_hash AS start, c.chunk_key AS end, properties(r) AS properties,
       d.document_key AS document, d.boundary AS boundary, d.doc_id AS document_name
ORDER BY s.log_index, r.position
