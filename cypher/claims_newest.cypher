// The claims of the newest statements, newest first, without retracted statements and probes.
MATCH (h:LogHead {name: 'log'})
WITH h.statements AS top, CASE WHEN h.statements > $first THEN h.statements - $first ELSE 0 END AS start
UNWIND range(start, top - 1) AS number
MATCH (s:Statement {statement_index: number})
WHERE NOT coalesce(s.retracted, false) AND NOT coalesce(s.probe, false)
RETURN s.signed_hash AS signed_hash, s.claim_text AS claim_text
ORDER BY number DESC
LIMIT $first
