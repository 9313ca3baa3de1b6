// The parents of each of a page of Context Passports; a row for each, without a parent where it has none.
MATCH (n:Passport)
WHERE n.record_hash > $after AND n.log_index < $size
WITH n ORDER BY n.record_hash LIMIT $first
OPTIONAL MATCH (n)-[r:DERIVED_FROM]->(p:Passport)
WHERE p.log_index < $size
RETURN n.record_hash AS key, n.record_hash AS start, p.record_hash AS end, properties(r) AS properties
ORDER BY n.record_hash, end
