// How many verdicts of each kind are there?
MATCH (v:Verification)
RETURN v.verdict AS verdict, count(v) AS verdicts
ORDER BY verdicts DESC, verdict
LIMIT $first
