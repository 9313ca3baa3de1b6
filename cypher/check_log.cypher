// The log's size, and its entries at the last place and one beyond, of which there must be one and none.
MATCH (h:LogHead {name: 'log'})
OPTIONAL MATCH (last:LogEntry {log_index: h.size - 1})
OPTIONAL MATCH (beyond:LogEntry {log_index: h.size})
RETURN h.size AS size, last.log_index AS last, beyond.log_index AS beyond
