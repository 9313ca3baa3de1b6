// When the log entries at these places were received, and from whom.
UNWIND $places AS place
MATCH (e:LogEntry {log_index: place})
RETURN e.log_index AS log_index, e.agent AS agent,
       e.received_at.epochSeconds * 1000000 + e.received_at.microsecond AS received_micros
