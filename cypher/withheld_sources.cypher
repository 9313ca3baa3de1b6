// Names of sources of which a document has none of these classes, up to a number.
// If agents that the operator answers for registered documents under a name, those of others do not count.
MATCH (d:Document)-[f:SOURCED_FROM]->(s:Source)
WHERE d.boundary IS NOT NULL AND NOT d.boundary IN $readable
  AND (coalesce(f.answered_for, false) OR NOT coalesce(s.answered_for, false))
RETURN DISTINCT s.source_id AS key
LIMIT $first
