// For how long agents have held places of these requests, in leases that are live, or over and not forgotten.
UNWIND $hashes AS hash
MATCH (l:Lease {place_of: hash})
RETURN hash AS request, l.agent_id AS agent_id, l.held_micros AS held_micros
ORDER BY request, agent_id
