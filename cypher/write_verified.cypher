// Caches which statements are verified beside those that they exclude.
UNWIND $rows AS row
MATCH (s:Statement {signed_hash: row.signed_hash})
SET s.verified = row.verified
