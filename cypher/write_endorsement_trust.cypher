// Notes which endorsements that a key signed from a place on are trusted: those before another place.
UNWIND $rows AS row
MATCH (k:Key {key_id: row.key_id})<-[:HAS_KEY]-(:Agent)-[e:ENDORSED {key_id: row.key_id}]->(:Agent)
WHERE e.log_index >= row.since
SET e.key_trusted = row.not_trusted_since IS NULL OR e.log_index < row.not_trusted_since
