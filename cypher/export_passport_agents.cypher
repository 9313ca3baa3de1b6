// Whom each of a page of Context Passports is attributed to; a row for each, without an agent where it has none.
MATCH (n:Passport)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
OPTIONAL MATCH (n)-[r:ATTRIBUTED_TO]->(a:Agent)
WHERE a.log_index < $size
RETURN n.record_hash AS key, n.record_hash AS start, a.agent_id AS end, properties(r) AS properties
ORDER BY n.record_hash, end
