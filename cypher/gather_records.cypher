// The records that these statements, and the verdicts on them, came out of.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})-[:GENERATED_BY]->(d:Document)
RETURN d.document_key AS document
UNION
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(:Verification)-[:GENERATED_BY]->(d:Document)
RETURN d.document_key AS document
