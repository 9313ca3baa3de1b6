// The verifications of these statements before $size, and who gave them.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
WHERE v.log_index < $size
RETURN v.signed_hash AS signed_hash, v.log_index AS log_index, a.agent_id AS agent_id
ORDER BY log_index
