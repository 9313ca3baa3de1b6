// The disputes with these hashes of signed bytes, and the labels that they dispute.
UNWIND $hashes AS hash
MATCH (d:GoldDispute {signed_hash: hash})-[:DISPUTES]->(g:GoldLabel)
RETURN d.signed_hash AS signed_hash, d.dispute_id AS dispute_id, d.agent_id AS agent_id,
       g.signed_hash AS label_hash, g.label_id AS label_id, g.agent_id AS labelled_by,
       g.target_hash AS statement, g.criterion AS criterion
