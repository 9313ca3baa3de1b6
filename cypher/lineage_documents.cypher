// The documents that a hash, or the name of a source, stands for.
UNWIND [$name] AS name
MATCH (d:Document {document_key: name})
RETURN d.document_key AS document_key
UNION
UNWIND [$name] AS name
MATCH (d:Document {doc_id: name})
RETURN d.document_key AS document_key
UNION
UNWIND [$name] AS name
MATCH (:Source {source_id: name})<-[:SOURCED_FROM]-(d:Document)
RETURN d.document_key AS document_key
