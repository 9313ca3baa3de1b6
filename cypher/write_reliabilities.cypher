// Records the reliabilities of verifiers that an epoch states.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
CREATE (r:Reliability {reliability_key: row.reliability_key})
SET r.agent_id = row.agent_id, r.criterion = row.criterion, r.sensitivity = row.sensitivity,
    r.specificity = row.specificity, r.judged = row.judged, r.independence = row.independence,
    r.copies = row.copies, r.copied_both = row.copied_both, r.copied_differed = row.copied_differed,
    r.copied_expected = row.copied_expected, r.coalition = row.coalition,
    r.log_size = row.log_size, r.log_index = row.log_index
CREATE (r)-[:OF]->(a)
