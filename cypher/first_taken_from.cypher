// The first entry of our log that was taken from a place of a peer's log or from one behind it.
UNWIND $origins AS origin
MATCH (e:LogEntry {origin: origin})
WHERE e.origin_index >= $index
RETURN origin AS origin, min(e.log_index) AS log_index
