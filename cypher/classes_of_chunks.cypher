// The classes of the documents that these passages are of.
UNWIND $keys AS key
MATCH (c:Chunk {chunk_key: key})-[:PART_OF]->(d:Document)
RETURN key AS key, d.boundary AS boundary, d.doc_id AS document_name, null AS source_document
