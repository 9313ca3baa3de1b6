// Statements that these agents judged, so many of them at most and in no order.
UNWIND $ids AS id
MATCH (a:Agent {agent_id: id})-[:VERIFIED]->(s:Statement)
WITH DISTINCT s LIMIT $first
RETURN s.signed_hash AS signed_hash
