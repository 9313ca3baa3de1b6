// The title of a document, where the reader may see it.
UNWIND [$key] AS key
MATCH (d:Document {document_key: key})
WHERE d.boundary IN $readable
RETURN coalesce(d.title, '') AS title
