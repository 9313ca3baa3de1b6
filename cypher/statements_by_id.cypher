// The statements with these ids, with their authors; an id may stand for several.
UNWIND $ids AS id
MATCH (s:Statement {statement_id: id})<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS signed_hash, s.statement_id AS statement_id, a.agent_id AS agent_id
ORDER BY s.log_index
