// Context Packs by the hash of their manifests, and who may read them.
UNWIND $hashes AS hash
MATCH (n:Pack {record_hash: hash})-[:RECORD_OF]->(d:Document)
RETURN n.record_hash AS record_hash, n.log_index AS log_index, n.held AS held, n.version AS version,
       n.created AS created, n.model AS model, n.os AS os, n.runtime AS runtime, n.form AS form,
       n.parent AS parent, n.steps AS steps, n.byte_length AS byte_length, d.boundary AS boundary, d.redacted AS redacted
ORDER BY n.log_index
