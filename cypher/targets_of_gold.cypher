// Which statement each of these gold labels and disputes is about.
UNWIND $hashes AS hash
OPTIONAL MATCH (g:GoldLabel {signed_hash: hash})
OPTIONAL MATCH (d:GoldDispute {signed_hash: hash})
RETURN hash AS gold, coalesce(g.target_hash, d.target_hash) AS statement
