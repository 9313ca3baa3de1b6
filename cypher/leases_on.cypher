// The leases on each of these requests that have not expired.
UNWIND $hashes AS hash
MATCH (l:Lease {request_hash: hash})
WHERE l.expires_micros > $now
RETURN hash AS request, l.lease_id AS lease_id, l.agent_id AS agent_id, l.expires_micros AS expires_micros
ORDER BY l.expires_micros
