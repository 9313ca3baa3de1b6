// The passages of these documents that a statement before a log size cites.
UNWIND $names AS name
MATCH (d:Document {document_key: name})<-[:PART_OF]-(c:Chunk)
WHERE EXISTS { MATCH (c)<-[:CITES]-(s:Statement) WHERE s.log_index < $as_of }
RETURN name AS parent, c.chunk_key AS name, c.chunk_id AS id, 0 AS log_index
ORDER BY name
LIMIT $first
