// The registrations of these documents as sources before this place of the log.
UNWIND $documents AS name
MATCH (d:Document {document_key: name})<-[r:REGISTERED]-(:Agent)
WHERE r.log_index < $end AND r.format IS NULL
RETURN DISTINCT r.log_index AS log_index
