// The revisions of these statements by their own authors, in log order.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
MATCH (s)<-[:REVISION_OF]-(n:Statement)<-[:GENERATED]-(b:Agent)
WHERE b.agent_id = a.agent_id
RETURN s.signed_hash AS statement, n.signed_hash AS revision, n.statement_id AS revision_id, n.key_trusted AS key_trusted
ORDER BY n.log_index
