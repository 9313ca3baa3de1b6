// Gives documents their classes of today; a document without a class is public.
UNWIND $rows AS row
MATCH (d:Document {document_key: row.document_key})
WHERE d.boundary IS NOT NULL OR row.boundary <> 'public'
SET d.boundary = row.boundary
