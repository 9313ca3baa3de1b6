// Writes gold labels, with their statement and who states them; whether they stand is noted later (write_gold_standings).
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
MATCH (s:Statement {signed_hash: row.target_hash})
CREATE (g:GoldLabel {signed_hash: row.signed_hash})
SET g.label_id = row.message_id, g.agent_id = row.agent_id, g.labelled_at = datetime(row.at),
    g.target_hash = row.target_hash, g.criterion = row.criterion, g.passes = row.passes, g.reason = row.reason,
    g.answers = row.answers, g.probe = row.probe, g.commitment = row.commitment, g.salt = row.salt,
    g.own = row.own, g.key_id = row.key_id, g.key_trusted = true, g.log_index = row.log_index
CREATE (g)-[:LABELS]->(s)
CREATE (g)-[:STATED_BY]->(a)
