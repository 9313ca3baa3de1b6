// The registrations of these documents that state another class than the document has, newest first.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})<-[r:REGISTERED]-(a:Agent)
WHERE r.boundary <> d.boundary
RETURN d.document_key AS document, a.agent_id AS agent_id, r.boundary AS boundary, r.log_index AS log_index
ORDER BY log_index DESC
