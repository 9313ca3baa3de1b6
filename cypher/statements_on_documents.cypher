// The statements before this place of the log that cite one of these documents.
UNWIND $documents AS name
MATCH (d:Document {document_key: name})<-[:PART_OF]-(:Chunk)<-[:CITES]-(s:Statement)
WHERE s.log_index < $end
RETURN DISTINCT s.signed_hash AS signed_hash, s.log_index AS log_index
