// Notes which disputes of gold labels that a key signed from a place on are trusted: those before another place.
UNWIND $rows AS row
MATCH (d:GoldDispute {key_id: row.key_id})
WHERE d.log_index >= row.since
SET d.key_trusted = row.not_trusted_since IS NULL OR d.log_index < row.not_trusted_since
