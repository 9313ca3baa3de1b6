// Notes which retractions that a key signed from a place on are trusted: those before another place.
UNWIND $rows AS row
MATCH (r:Retraction {key_id: row.key_id})
WHERE r.log_index >= row.since
SET r.key_trusted = row.not_trusted_since IS NULL OR r.log_index < row.not_trusted_since
