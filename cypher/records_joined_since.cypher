// One record registered from this place of the log on that was registered before too, or that an earlier record names.
MATCH (:Agent)-[r:REGISTERED]->(:Document)<-[:RECORD_OF]-(n)
WHERE r.log_index >= $start AND r.format IS NOT NULL
  AND (n.log_index < $start
       OR EXISTS { MATCH (n)<-[:DERIVED_FROM|SUPERSEDES|ECHOES|DISPOSES]-(m) WHERE m.log_index < $start })
RETURN n.record_hash AS name
LIMIT 1
