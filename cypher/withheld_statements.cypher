// Statements that cite one of these documents, up to a number.
UNWIND $documents AS document
MATCH (:Document {document_key: document})<-[:PART_OF]-(:Chunk)<-[:CITES]-(s:Statement)
RETURN DISTINCT s.signed_hash AS key
LIMIT $first
