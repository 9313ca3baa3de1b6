// How many statements each of these agents has made, so many at most.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})
CALL (a) {
  MATCH (a)-[:GENERATED]->(s:Statement)
  WITH s LIMIT $most
  RETURN count(s) AS number
}
RETURN a.agent_id AS agent, number AS number
