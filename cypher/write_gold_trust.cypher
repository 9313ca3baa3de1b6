// Notes which gold labels that a key signed from a place on are trusted: those before another place.
UNWIND $rows AS row
MATCH (g:GoldLabel {key_id: row.key_id})
WHERE g.log_index >= row.since
SET g.key_trusted = row.not_trusted_since IS NULL OR g.log_index < row.not_trusted_since
