// The packs that each of a page of steps belongs to.
MATCH (s:Step)
WHERE s.step_key > $after AND s.log_index < $size
WITH s ORDER BY s.step_key LIMIT $first
MATCH (n:Pack)-[r:HAS_STEP]->(s)
RETURN s.step_key AS key, n.record_hash AS start, s.step_key AS end, properties(r) AS properties
ORDER BY s.step_key
