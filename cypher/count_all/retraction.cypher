// The numbers of retractions.
MATCH (n:Retraction)
RETURN 'Retraction' AS name, count(n) AS number
