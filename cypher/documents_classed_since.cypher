// The documents that got their first class from an entry at this place of the log or after it, or another from the node.
// Other registrations after the first make a class stricter or leave it.
MATCH (a:Agent)-[r:REGISTERED]->(d:Document)
WHERE r.log_index >= $start
      AND (a.agent_id = $node OR NOT EXISTS { MATCH (d)<-[e:REGISTERED]-(:Agent) WHERE e.log_index < $start })
RETURN DISTINCT d.document_key AS key
ORDER BY key
