// Which bytes of which documents these statements cite.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[r:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
RETURN s.signed_hash AS statement, d.document_key AS document, c.byte_start AS byte_start, c.byte_end AS byte_end
ORDER BY statement, r.position
