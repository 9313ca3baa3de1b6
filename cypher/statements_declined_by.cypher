// The statements that these agents have declined to verify.
UNWIND $ids AS id
MATCH (d:VerificationDecline {agent_id: id})-[:DECLINES]->(:VerificationRequest)-[:TARGETS]->(s:Statement)
RETURN DISTINCT s.signed_hash AS signed_hash
ORDER BY signed_hash
