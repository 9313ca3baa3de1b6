// How far into a peer's log something was taken from it, and how much.
UNWIND $origins AS origin
MATCH (e:LogEntry {origin: origin})
WHERE e.origin_index IS NOT NULL
RETURN origin AS origin, max(e.origin_index) AS origin_index, count(e) AS number
