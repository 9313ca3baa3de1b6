// One document that is of none of these classes, where there is one.
MATCH (d:Document)
WHERE d.boundary IS NOT NULL AND NOT d.boundary IN $readable
RETURN d.document_key AS document
LIMIT 1
