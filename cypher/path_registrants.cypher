// The agents that registered these documents, before a log size.
UNWIND $names AS name
MATCH (d:Document {document_key: name})<-[r:REGISTERED]-(a:Agent)
WHERE r.log_index < $as_of
RETURN DISTINCT name AS parent, a.agent_id AS name, null AS id, a.log_index AS log_index
LIMIT $first
