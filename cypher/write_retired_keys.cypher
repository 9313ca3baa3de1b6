// Notes which keys are replaced by others; the first that replaces one stands.
UNWIND $rows AS row
MATCH (k:Key {key_id: row.key_id})
SET k.retired_at = coalesce(k.retired_at, row.retired_at)
