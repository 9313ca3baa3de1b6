// Which request each decline is of, by hash, page by page.
MATCH (n:VerificationDecline)-[r:DECLINES]->(q:VerificationRequest)
WHERE n.signed_hash > $after AND n.log_index < $size
RETURN n.signed_hash AS key, n.signed_hash AS start, q.signed_hash AS end, properties(r) AS properties
ORDER BY key
LIMIT $first
