// The documents with these hashes or URNs, registered ones first.
UNWIND $names AS name
MATCH (d:Document {document_key: name})
RETURN name AS name, d {.document_key, .document_hash, .doc_id, .title, .media_type, .byte_length, .boundary, .held,
          .registered} AS document
UNION
UNWIND $names AS name
MATCH (d:Document {doc_id: name})
RETURN name AS name, d {.document_key, .document_hash, .doc_id, .title, .media_type, .byte_length, .boundary, .held,
          .registered} AS document
