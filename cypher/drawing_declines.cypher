// The declines of these requests by seeds and by agents that seeds have endorsed, a row for each operator.
UNWIND $hashes AS hash
MATCH (r:VerificationRequest {signed_hash: hash})<-[:DECLINES]-(d:VerificationDecline)
WHERE d.log_index <= $up_to
MATCH (a:Agent {agent_id: d.agent_id})
OPTIONAL MATCH (operator:Agent)-[e:ENDORSED]->(a)
WHERE e.key_trusted AND e.log_index <= $up_to AND operator.agent_id IN $seeds
WITH hash, d, a, operator
WHERE a.agent_id IN $seeds OR operator IS NOT NULL
RETURN DISTINCT hash AS request, a.agent_id AS agent_id, operator.agent_id AS operator, d.log_index AS log_index,
       d.received_at.epochSeconds * 1000000 + d.received_at.microsecond AS received_micros
ORDER BY log_index, operator
