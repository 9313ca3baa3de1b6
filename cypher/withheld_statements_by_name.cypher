// Statements that cite one of these documents under one of these names, up to a number.
UNWIND $documents AS document
MATCH (:Document {document_key: document})<-[:PART_OF]-(:Chunk)<-[r:CITES]-(s:Statement)
WHERE $names[r.source_document] IS NOT NULL
RETURN DISTINCT s.signed_hash AS key
LIMIT $first
