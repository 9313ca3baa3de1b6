// Caches the statuses of keys.
UNWIND $rows AS row
MATCH (k:Key {key_id: row.key_id})
SET k.retired_at = row.retired_at, k.not_trusted_since = row.not_trusted_since,
    k.revoked_reason = row.revoked_reason, k.revoked_by = row.revoked_by
