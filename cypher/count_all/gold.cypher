// The numbers of gold labels, disputes of them, and probes.
MATCH (n:GoldDispute)
RETURN 'GoldDispute' AS name, count(n) AS number
UNION
MATCH (n:GoldLabel)
RETURN 'GoldLabel' AS name, count(n) AS number
UNION
MATCH (n:Probe)
RETURN 'Probe' AS name, count(n) AS number
UNION
MATCH ()-[r:DISPUTES]->()
RETURN 'DISPUTES' AS name, count(r) AS number
UNION
MATCH ()-[r:LABELS]->()
RETURN 'LABELS' AS name, count(r) AS number
UNION
MATCH ()-[r:STATED_BY]->()
RETURN 'STATED_BY' AS name, count(r) AS number
