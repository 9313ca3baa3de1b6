// A page of the steps of Context Packs that were registered before the log had $size entries, by key.
MATCH (s:Step)
WHERE s.step_key > $after AND s.log_index < $size
RETURN s.step_key AS key, properties(s) AS properties
ORDER BY s.step_key
LIMIT $first
