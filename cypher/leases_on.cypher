// The live leases that take places of these requests: of agents that counted for a seed and have not declined.
UNWIND $hashes AS hash
MATCH (r:VerificationRequest {signed_hash: hash})
MATCH (l:Lease {place_of: hash})
WHERE l.expires_micros > $now AND NOT EXISTS {
  MATCH (r)<-[:DECLINES]-(d:VerificationDecline)
  WHERE d.agent_id = l.agent_id
}
RETURN hash AS request, l.lease_id AS lease_id, l.agent_id AS agent_id, l.expires_micros AS expires_micros
ORDER BY l.expires_micros
