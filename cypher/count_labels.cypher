// How many nodes have each label; a node that has two is counted under both.
MATCH (n)
UNWIND labels(n) AS label
RETURN label AS label, count(*) AS number
ORDER BY label
