// The content that each of a page of steps returned; a row for each, without content where it returned none.
MATCH (s:Step)
WHERE s.step_key > $after AND s.log_index < $size
WITH s ORDER BY s.step_key LIMIT $first
OPTIONAL MATCH (s)-[r:GENERATED]->(d:Document)
RETURN s.step_key AS key, s.step_key AS start, d.document_key AS end, properties(r) AS properties
ORDER BY s.step_key
