// Caches the consensus of statements.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.consensus_score = row.consensus_score, s.verified = row.verified
