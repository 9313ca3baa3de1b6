// A page of the agreements with peers made before the log had $size entries, by origin.
MATCH (n:Peer)
WHERE n.origin > $after AND n.log_index < $size
RETURN n.origin AS key, properties(n) AS properties
ORDER BY n.origin
LIMIT $first
