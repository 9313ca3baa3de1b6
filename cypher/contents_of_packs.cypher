// The content that these Context Packs used and generated, in the order of their manifests.
UNWIND $hashes AS hash
MATCH (n:Pack {record_hash: hash})-[r:USED|GENERATED]->(d:Document)
RETURN n.record_hash AS pack, coalesce(r.part, "output") AS part, r.position AS position, r.role AS role,
       d.document_key AS content_hash
ORDER BY pack, part, position
