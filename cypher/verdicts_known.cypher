// The verdicts with these hashes of signed bytes, and who gave them.
UNWIND $hashes AS hash
MATCH (v:Verification {signed_hash: hash})-[:PERFORMED_BY]->(a:Agent)
RETURN v.signed_hash AS signed_hash, v.verification_id AS verification_id, a.agent_id AS agent_id
