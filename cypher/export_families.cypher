// A page of the families that had a member before the log had $size entries, by id.
MATCH (n:AgentFamily)
WHERE n.family_id > $after AND n.log_index < $size
RETURN n.family_id AS key, properties(n) AS properties
ORDER BY n.family_id
LIMIT $first
