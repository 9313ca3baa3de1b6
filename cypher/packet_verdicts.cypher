// The latest verdicts that stand and bind each of these statements, but not their authors' own, newest first.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(author:Agent)
CALL (s, author) {
  MATCH (s)<-[:VALIDATES]-(v:Verification)-[:PERFORMED_BY]->(a:Agent)
  WHERE v.binds AND v.key_trusted AND NOT v.retracted AND a.agent_id <> author.agent_id
  RETURN v, a
  ORDER BY v.log_index DESC
  LIMIT $first
}
RETURN s.signed_hash AS statement, v.signed_hash AS signed_hash, v.verification_id AS verification_id,
       v.verdict AS verdict, v.confidence AS confidence, v.machine AS machine, v.reason AS reason,
       v.finding_criteria AS finding_criteria, v.finding_statuses AS finding_statuses, v.log_index AS log_index,
       v.verified_at.epochSeconds * 1000000 + v.verified_at.microsecond AS verified_micros,
       v.received_at.epochSeconds * 1000000 + v.received_at.microsecond AS received_micros,
       a.agent_id AS agent_id, a.reputation AS reputation
ORDER BY log_index DESC
