// The statements whose gold labels these agents dispute.
UNWIND $ids AS id
MATCH (d:GoldDispute {agent_id: id})
RETURN DISTINCT d.target_hash AS statement
