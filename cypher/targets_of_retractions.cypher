// Which statement each of these retractions is about: the one that it takes back, or that of the verdict or the gold.
UNWIND $hashes AS hash
MATCH (r:Retraction {signed_hash: hash})
OPTIONAL MATCH (v:Verification {signed_hash: r.target_hash})-[:VALIDATES]->(s:Statement)
OPTIONAL MATCH (g:GoldLabel {signed_hash: r.target_hash})
OPTIONAL MATCH (d:GoldDispute {signed_hash: r.target_hash})
RETURN r.signed_hash AS retraction,
       coalesce(s.signed_hash, g.target_hash, d.target_hash, r.target_hash) AS statement
