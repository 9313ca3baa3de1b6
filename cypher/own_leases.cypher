// The leases with these keys (request and agent), also those that have expired and are not forgotten.
UNWIND $keys AS key
MATCH (l:Lease {lease_key: key})
RETURN l.lease_id AS lease_id, l.request_hash AS request, l.expires_micros AS expires_micros,
       l.held_micros AS held_micros
