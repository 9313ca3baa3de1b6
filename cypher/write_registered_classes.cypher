// Gives documents the class that their last registrations in this batch leave them with.
UNWIND $rows AS row
WITH row.document_hash AS hash, last(collect(row.boundary)) AS boundary
MATCH (d:Document {document_key: hash})
SET d.boundary = boundary
