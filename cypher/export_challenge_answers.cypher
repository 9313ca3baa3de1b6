// A page of the answers to challenges made before the log had $size entries, by hash, and the statement of each.
MATCH (n:ChallengeAnswer)
WHERE n.signed_hash > $after AND n.log_index < $size
RETURN n.signed_hash AS key, n.statement_hash AS statement, properties(n) AS properties
ORDER BY n.signed_hash
LIMIT $first
