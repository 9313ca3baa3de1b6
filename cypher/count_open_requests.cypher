// How many requests of each of these agents wait, by the stretch of `open_for` that is theirs.
UNWIND $stretches AS stretch
MATCH (r:VerificationRequest)
WHERE r.open_for > stretch.start AND r.open_for < stretch.end
RETURN stretch.agent_id AS agent_id, count(r) AS number
