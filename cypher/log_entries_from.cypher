// So many log entries from one place of the log on, in order.
UNWIND range($start, $start + $first - 1) AS place
MATCH (e:LogEntry {log_index: place})
RETURN e.log_index AS log_index, e.v AS v, e.origin AS origin, e.type AS type, e.id AS id,
       e.document_hash AS document_hash, e.signed_hash AS signed_hash, e.agent AS agent, e.key AS key,
       e.received_at AS received_at, e.origin_index AS origin_index,
       e.origin_received_at AS origin_received_at
ORDER BY e.log_index
