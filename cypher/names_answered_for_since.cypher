// The names of documents that were registered at this place of the log or after it, if the operator answers for the name.
MATCH (:Agent)-[r:REGISTERED]->(d:Document)-[f:SOURCED_FROM]->(s:Source)
WHERE r.log_index >= $start AND coalesce(f.answered_for, false)
RETURN DISTINCT s.source_id AS key
ORDER BY key
