// Which documents do most statements cite?
MATCH (s:Statement)-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN d.doc_id AS source, d.document_key AS document, count(DISTINCT s) AS statements
ORDER BY statements DESC, document
LIMIT $first
