// The documents that these passages are of, where a statement before a log size cites the passage.
UNWIND $names AS name
MATCH (c:Chunk {chunk_key: name})-[:PART_OF]->(d:Document)
WHERE EXISTS { MATCH (c)<-[:CITES]-(s:Statement) WHERE s.log_index < $as_of }
RETURN name AS parent, d.document_key AS name, d.doc_id AS id, 0 AS log_index
LIMIT $first
