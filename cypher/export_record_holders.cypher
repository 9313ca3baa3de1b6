// The operators that a page of operators' records is about, before $size.
MATCH (r:OperatorRecord)
WHERE r.record_key > $after AND r.log_index < $size
WITH r ORDER BY r.record_key LIMIT $first
MATCH (r)-[o:HELD_BY]->(a:Agent)
RETURN r.record_key AS key, r.record_key AS start, a.agent_id AS end, properties(o) AS properties
ORDER BY key
