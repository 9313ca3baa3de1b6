// Marks statements that have one id: none of them is verified while there is another.
UNWIND $rows AS row
MATCH (s:Statement {statement_id: row.statement_id})
WITH row.statement_id AS statement_id, collect(s) AS twins
WHERE size(twins) > 1
UNWIND twins AS twin
SET twin.conflicted = true, twin.verified = false
