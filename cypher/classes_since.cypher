// The classes of the documents that an agent has registered from a place in the log on, as they are now.
MATCH (d:Document)
WHERE d.boundary IS NOT NULL AND EXISTS { (d)<-[r:REGISTERED]-(:Agent) WHERE r.log_index >= $start }
RETURN d.document_key AS document_key, d.boundary AS boundary
ORDER BY document_key
