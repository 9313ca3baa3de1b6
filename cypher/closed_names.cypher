// The names of sources that close the documents without a class to the readers of these classes.
// If agents that the operator answers for registered documents under a name, those of others do not count.
MATCH (s:Source)<-[f:SOURCED_FROM]-(d:Document)
WHERE d.boundary IS NOT NULL AND NOT d.boundary IN $readable
      AND (coalesce(f.answered_for, false) OR NOT coalesce(s.answered_for, false))
RETURN DISTINCT s.source_id AS name
ORDER BY name
