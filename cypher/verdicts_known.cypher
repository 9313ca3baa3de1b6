// The verdicts with these hashes of signed bytes: their outcomes, who gave them, and on whose statement.
UNWIND $hashes AS hash
MATCH (v:Verification {signed_hash: hash})-[:PERFORMED_BY]->(a:Agent)
MATCH (v)-[:VALIDATES]->(s:Statement)<-[:GENERATED]-(author:Agent)
RETURN v.signed_hash AS signed_hash, v.verification_id AS verification_id, a.agent_id AS agent_id,
       v.verdict AS verdict, s.signed_hash AS statement, author.agent_id AS author
