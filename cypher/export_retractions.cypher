// A page of the retractions made before the log had $size entries, by hash, with the statements that they are about.
MATCH (n:Retraction)
WHERE n.signed_hash > $after AND n.log_index < $size
WITH n
ORDER BY n.signed_hash
LIMIT $first
OPTIONAL MATCH (v:Verification {signed_hash: n.target_hash})-[:VALIDATES]->(s:Statement)
RETURN n.signed_hash AS key, coalesce(s.signed_hash, n.target_hash) AS statement, properties(n) AS properties
ORDER BY key
