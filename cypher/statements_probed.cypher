// Where in the log these statements stand, who made them, and whether that agent judges others.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
RETURN s.signed_hash AS statement, s.log_index AS log_index, a.agent_id AS agent_id,
       EXISTS { MATCH (a)<-[:PERFORMED_BY]-(:Verification) } AS judges
