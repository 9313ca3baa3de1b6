// How many nodes each label has.
MATCH (n)
RETURN labels(n)[0] AS label, count(n) AS number
ORDER BY label
