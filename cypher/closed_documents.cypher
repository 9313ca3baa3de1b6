// The registered documents that are of none of these classes.
MATCH (d:Document)
WHERE d.boundary IS NOT NULL AND NOT d.boundary IN $readable
RETURN d.document_key AS name
ORDER BY name
