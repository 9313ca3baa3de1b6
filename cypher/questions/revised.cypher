// Which statements revise an earlier one?
MATCH (s:Statement)-[:REVISION_OF]->(o:Statement)
RETURN s.signed_hash AS statement, s.claim_text AS claim, o.signed_hash AS revises, o.claim_text AS other_claim
ORDER BY s.log_index DESC
LIMIT $first
