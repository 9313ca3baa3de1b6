// The statements that make these claims, of each the first in the log, with their authors.
UNWIND $keys AS key
CALL (key) {
  MATCH (s:Statement {claim_key: key})
  RETURN s
  ORDER BY s.log_index
  LIMIT $most
}
MATCH (s)<-[:GENERATED]-(a:Agent)
RETURN key AS claim_key, s.signed_hash AS signed_hash, s.machine_check AS machine_check, a.agent_id AS author,
       s.key_trusted AND NOT s.retracted AND NOT s.conflicted AND s.superseded_by IS NULL
       AND s.probe IS NULL AS stands
ORDER BY claim_key, s.log_index
