// Those of some statements that cite one of these documents.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:CITES]->(:Chunk)-[:PART_OF]->(d:Document)
WHERE d.document_key IN $documents
RETURN DISTINCT s.signed_hash AS signed_hash
ORDER BY signed_hash
