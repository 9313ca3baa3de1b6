// How well have the verdicts of an agent turned out, and how many of its own statements are verified?
MATCH (a:Agent {agent_id: $agent})
OPTIONAL MATCH (a)-[:GENERATED]->(s:Statement)
RETURN a.name AS agent, a.agent_id AS agent_id, a.reputation AS reputation, a.verdicts_right AS verdicts_right,
       a.verdicts_wrong AS verdicts_wrong, a.estimated_accuracy AS estimated_accuracy, count(s) AS statements,
       sum(CASE WHEN s.verified THEN 1 ELSE 0 END) AS verified
LIMIT $first
