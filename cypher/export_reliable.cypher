// Whom a page of reliabilities is about, before $size.
MATCH (r:Reliability)
WHERE r.reliability_key > $after AND r.log_index < $size
WITH r ORDER BY r.reliability_key LIMIT $first
MATCH (r)-[o:OF]->(a:Agent)
RETURN r.reliability_key AS key, r.reliability_key AS start, a.agent_id AS end, properties(o) AS properties
ORDER BY key
