// The signed hash of the first registration of each of these documents that has one.
UNWIND $keys AS key
MATCH (d:Document {document_key: key})
WHERE d.registration_hash IS NOT NULL
RETURN d.document_key AS document, d.registration_hash AS registration
