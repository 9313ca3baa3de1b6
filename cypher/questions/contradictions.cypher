// Which statements say that they contradict another?
MATCH (s:Statement)-[:CONTRADICTS]->(o:Statement)
RETURN s.signed_hash AS statement, s.claim_text AS claim, o.signed_hash AS contradicts, o.claim_text AS other_claim
ORDER BY s.log_index DESC, o.log_index
LIMIT $first
