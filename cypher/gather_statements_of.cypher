// Where these statements are in the log, when they came in, whether they are verified, and who made them.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS signed_hash, s.log_index AS log_index, s.received_at AS received_at, s.verified AS verified,
       a.agent_id AS agent_id
ORDER BY log_index
