// The statements that somebody other than the machine has judged, page by page in order of hash.
MATCH (v:Verification)-[:VALIDATES]->(s:Statement)
WHERE v.machine = false AND s.signed_hash > $after
RETURN DISTINCT s.signed_hash AS signed_hash
ORDER BY signed_hash
LIMIT $first
