// The gold labels with these hashes of signed bytes: their ids, agents and targets.
UNWIND $hashes AS hash
MATCH (g:GoldLabel {signed_hash: hash})
RETURN g.signed_hash AS signed_hash, g.label_id AS label_id, g.agent_id AS agent_id,
       g.target_hash AS statement, g.criterion AS criterion
