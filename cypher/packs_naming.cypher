// The classes of the Context Packs that name these contents, and their own.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})<-[:USED|GENERATED]-(x)
WHERE x.record_hash IS NOT NULL
MATCH (r:Document {document_key: x.record_hash})
RETURN hash AS document_hash, d.boundary AS boundary, collect(DISTINCT r.boundary) AS boundaries
