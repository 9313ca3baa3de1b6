// How many verification requests wait with `open_for` in a stretch, which is that of one agent.
MATCH (r:VerificationRequest)
WHERE r.open_for > $start AND r.open_for < $end
RETURN count(r) AS number
