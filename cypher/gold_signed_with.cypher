// The statements with gold labels, or disputes of such, that these keys signed from a place in the log on.
UNWIND $keys AS key
MATCH (g:GoldLabel {key_id: key.key_id})
WHERE g.log_index >= key.since
RETURN g.target_hash AS statement
UNION
UNWIND $keys AS key
MATCH (d:GoldDispute {key_id: key.key_id})
WHERE d.log_index >= key.since
RETURN d.target_hash AS statement
