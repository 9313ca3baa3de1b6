// Which documents do these statements cite, and how often?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN d.doc_id AS source, d.document_key AS document, count(DISTINCT s) AS statements,
       collect(DISTINCT s.signed_hash) AS hashes
ORDER BY statements DESC, document
LIMIT $first
