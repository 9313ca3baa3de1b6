// The documents that these statements cite, each with the names that it is registered under.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:CITES]->(:Chunk)-[:PART_OF]->(d:Document)
OPTIONAL MATCH (d)-[:SOURCED_FROM]->(o:Source)
RETURN DISTINCT s.signed_hash AS statement, d.document_key AS document, o.source_id AS source
ORDER BY statement, document, source
