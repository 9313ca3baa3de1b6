// Each verification with its edges counted: to its statement, and to its agent.
MATCH (v:Verification)
OPTIONAL MATCH (v)-[:VALIDATES]->(s:Statement)
WITH v, count(s) AS statements
OPTIONAL MATCH (v)-[:PERFORMED_BY]->(a:Agent)
RETURN v.signed_hash AS signed_hash, v.log_index AS log_index, statements AS statements, count(a) AS agents
