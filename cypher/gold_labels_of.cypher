// Every gold label of these statements, whatever it is worth, in log order.
UNWIND $hashes AS hash
MATCH (g:GoldLabel {target_hash: hash})-[:LABELS]->(s:Statement)
RETURN g.target_hash AS statement, g.signed_hash AS signed_hash, g.label_id AS label_id, g.agent_id AS agent_id,
       g.criterion AS criterion, g.passes AS passes, g.reason AS reason, g.answers AS answers,
       g.probe AS probe, g.commitment AS commitment, g.salt AS salt, g.own AS own,
       g.labelled_at AS labelled_at, g.key_trusted AS key_trusted, g.log_index AS log_index,
       g.standing AS standing, g.in_force AS in_force, s.origin AS statement_origin, s.probe AS marked
ORDER BY log_index
