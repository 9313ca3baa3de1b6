// Gold labels of one of these statements, and disputes of such labels, up to a number.
MATCH (n:GoldLabel|GoldDispute)
WHERE $names[n.target_hash] IS NOT NULL
RETURN DISTINCT n.signed_hash AS key
LIMIT $first
