// The records of other formats whose bytes are here.
MATCH (d:Document)<-[:RECORD_OF]-(n)
WHERE n.held = true
RETURN DISTINCT d.document_key AS document_hash
ORDER BY document_hash
