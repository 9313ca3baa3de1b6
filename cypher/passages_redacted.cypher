// Which erased passages these statements cite.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:CITES]->(c:Chunk)-[:PART_OF]->(d:Document)
WHERE c.redacted IS NOT NULL
RETURN DISTINCT s.signed_hash AS statement, d.document_key AS document, c.byte_start AS byte_start,
       c.byte_end AS byte_end, c.redacted AS redacted
