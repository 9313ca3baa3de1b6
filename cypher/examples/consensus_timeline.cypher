// Which verdicts did a statement get, in the order of their times (A2AP Appendix B)?
MATCH (s:Statement {statement_id: $id})<-[:VALIDATES]-(v:Verification)
RETURN v.verified_at AS verified_at, v.verdict AS verdict, v.confidence AS confidence
ORDER BY verified_at
LIMIT 100
