// The leases of an agent that have not expired, soonest to expire first.
MATCH (l:Lease {agent_id: $agent})
WHERE l.expires_micros > $now
RETURN l.lease_id AS lease_id, l.request_hash AS request, l.expires_micros AS expires_micros,
       l.held_micros AS held_micros
ORDER BY l.expires_micros, l.lease_id
LIMIT $first
