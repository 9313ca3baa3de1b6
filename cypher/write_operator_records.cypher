// Records the operators' records that an epoch states.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.operator})
CREATE (r:OperatorRecord {record_key: row.record_key})
SET r.operator = row.operator, r.criterion = row.criterion, r.sensitivities = row.sensitivities,
    r.specificities = row.specificities, r.known_answers = row.known_answers, r.log_size = row.log_size, r.log_index = row.log_index
CREATE (r)-[:HELD_BY]->(a)
