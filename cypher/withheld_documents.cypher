// Documents that are of none of these classes, up to a number.
MATCH (d:Document)
WHERE d.boundary IS NOT NULL AND NOT d.boundary IN $readable
RETURN d.document_key AS key
LIMIT $first
