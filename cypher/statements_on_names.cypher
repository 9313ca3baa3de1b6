// The statements before this place of the log that cite a document without a class that goes by one of these names.
MATCH (d:Document)
WHERE d.boundary IS NULL
MATCH (d)<-[:PART_OF]-(:Chunk)<-[r:CITES]-(s:Statement)
WHERE s.log_index < $end AND (d.doc_id IN $names OR r.source_document IN $names)
RETURN DISTINCT s.signed_hash AS signed_hash, s.log_index AS log_index
