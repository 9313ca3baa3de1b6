// Records the events of keys after agents registered, with the place that each revocation names.
UNWIND $rows AS row
CREATE (e:KeyEvent {signed_hash: row.signed_hash})
SET e.message_id = row.message_id, e.type = row.type, e.agent_id = row.agent_id, e.key_id = row.key_id,
    e.signed_by = row.signed_by, e.authority = row.authority, e.replaces = row.replaces, e.reason = row.reason,
    e.not_trusted_since = row.not_trusted_since, e.void = false, e.log_index = row.log_index,
    e.issued_at = datetime(row.issued_at)
