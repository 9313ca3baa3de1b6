// Notes which authors of these statements have put probes of this node to verifiers.
UNWIND $hashes AS hash
MATCH (s:Statement {signed_hash: hash})<-[:GENERATED]-(a:Agent)
OPTIONAL MATCH (a)-[:GENERATED]->(p:Statement)
WHERE p.probe AND p.origin IS NULL
WITH a, count(p) AS probes
SET a.probing = CASE WHEN probes > 0 THEN true ELSE null END
