// The numbers of redactions.
MATCH (n:Redaction)
RETURN 'Redaction' AS name, count(n) AS number
