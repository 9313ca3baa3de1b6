// The agents whose verdicts these are, where the verdict binds its statement, before a log size.
UNWIND $names AS name
MATCH (v:Verification {signed_hash: name})-[:PERFORMED_BY]->(a:Agent)
WHERE v.binds AND v.log_index < $as_of
RETURN name AS parent, a.agent_id AS name, null AS id, a.log_index AS log_index
LIMIT $first
