// One record registered at this place of the log or after it that came before, or that one before it names, if any.
MATCH (:Agent)-[r:REGISTERED]->(:Document)<-[:RECORD_OF]-(n)
WHERE r.log_index >= $start AND r.format IS NOT NULL
  AND (n.log_index < $start
       OR EXISTS { MATCH (n)<-[:DERIVED_FROM|SUPERSEDES|ECHOES|DISPOSES]-(m) WHERE m.log_index < $start })
RETURN n.record_hash AS name
LIMIT 1
