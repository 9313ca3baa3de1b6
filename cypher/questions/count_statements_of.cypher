// How many of these statements are there, and how many of them are verified?
UNWIND $statements AS hash
MATCH (s:Statement {signed_hash: hash})
RETURN count(s) AS statements, sum(CASE WHEN s.verified THEN 1 ELSE 0 END) AS verified,
       collect(s.signed_hash) AS hashes
LIMIT $first
