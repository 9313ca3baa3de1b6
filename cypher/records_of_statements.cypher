// The records that these statements came out of, here or not.
UNWIND $hashes AS hash
MATCH (m:Statement {signed_hash: hash})-[:GENERATED_BY]->(d:Document)
OPTIONAL MATCH (d)<-[:RECORD_OF]-(n)
RETURN m.signed_hash AS message, d.document_key AS record_hash, labels(n) AS labels, n.held AS held
ORDER BY message, record_hash
