// Writes statements, numbered in the order of the log, and the edge from their author.
MATCH (h:LogHead {name: 'log'})
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
CREATE (s:Statement {signed_hash: row.signed_hash})
SET s.statement_id = row.statement_id, s.document_hash = row.document_hash, s.claim_text = row.claim_text,
    s.confidence = row.confidence, s.generation_method = row.generation_method,
    s.content_hash = row.content_hash, s.content_hash_rule = row.content_hash_rule,
    s.signature = row.signature, s.key_id = row.key_id, s.key_trusted = true,
    s.generated_at = datetime(row.generated_at),
    s.received_at = datetime(row.received_at), s.log_index = row.log_index, s.context = row.context,
    s.origin = row.origin, s.conflicted = false,
    s.statement_index = h.statements + row.position,
    s.machine_check = row.machine_check, s.machine_reason = row.machine_reason,
    s.retracted = false, s.verified = false, s.consensus_score = 0.0,
    s.claim_key = row.claim_key, s.subject_key = row.subject_key,
    s.carried = false, s.carried_by = [], s.opposed_by = []
CREATE (a)-[:GENERATED {timestamp: datetime(row.generated_at)}]->(s)
