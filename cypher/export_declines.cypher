// A page of the declines made before the log had $size entries, by hash, and the statement that each is about.
MATCH (n:VerificationDecline)
WHERE n.signed_hash > $after AND n.log_index < $size
RETURN n.signed_hash AS key, n.target_hash AS statement, properties(n) AS properties
ORDER BY n.signed_hash
LIMIT $first
