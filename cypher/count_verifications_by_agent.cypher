// How many verdicts each of these agents has given, so many at most.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)<-[:PERFORMED_BY]-(v:Verification)
  WITH v LIMIT $most
  RETURN count(v) AS number
}
RETURN a.agent_id AS agent_id, number AS number
