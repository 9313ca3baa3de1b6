// Appends log entries, and moves the head of the log past them.
MATCH (h:LogHead {name: 'log'})
SET h.size = $size, h.statements = h.statements + $statements
WITH h
UNWIND $entries AS entry
CREATE (e:LogEntry {log_index: entry.log_index})
SET e.v = entry.v, e.origin = entry.origin, e.type = entry.type, e.id = entry.id,
    e.document_hash = entry.document_hash, e.signed_hash = entry.signed_hash,
    e.agent = entry.agent, e.key = entry.key, e.received_at = datetime(entry.received_at),
    e.origin_index = entry.origin_index, e.origin_received_at = datetime(entry.origin_received_at)
