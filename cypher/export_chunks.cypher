// The chunks with keys in a range, by key, and the properties of the document that each is part of.
MATCH (n:Chunk)
WHERE n.chunk_key >= $start AND n.chunk_key < $end
OPTIONAL MATCH (n)-[:PART_OF]->(d:Document)
RETURN properties(n) AS properties, d.document_key AS document, d.boundary AS boundary, d.doc_id AS document_name
ORDER BY n.chunk_key
