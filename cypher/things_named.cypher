// The things that a name stands for: keys, agents, statements, verdicts that bind, passages, documents and records.
// By the id in a packet it is found by readers to whom it may be shown.
UNWIND [$name] AS name
MATCH (n:Agent {agent_id: name})
RETURN 'AGENT' AS kind, n.agent_id AS name, null AS id, n.log_index AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Key {key_id: name})
RETURN 'KEY' AS kind, n.key_id AS name, null AS id, n.log_index AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Statement {signed_hash: name})
RETURN 'STATEMENT' AS kind, n.signed_hash AS name, n.statement_id AS id, n.log_index AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Statement {statement_id: name})
RETURN 'STATEMENT' AS kind, n.signed_hash AS name, n.statement_id AS id, n.log_index AS log_index
LIMIT $first
UNION
UNWIND [$name] AS name
MATCH (n:Verification {signed_hash: name})
WHERE n.binds
RETURN 'VERIFICATION' AS kind, n.signed_hash AS name, n.verification_id AS id, n.log_index AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Verification {verification_id: name})
WHERE n.binds
RETURN 'VERIFICATION' AS kind, n.signed_hash AS name, n.verification_id AS id, n.log_index AS log_index
LIMIT $first
UNION
UNWIND [$name] AS name
MATCH (n:Chunk {chunk_key: name})
RETURN 'CHUNK' AS kind, n.chunk_key AS name, n.chunk_id AS id, 0 AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Chunk {chunk_id: name})
RETURN 'CHUNK' AS kind, n.chunk_key AS name, n.chunk_id AS id, 0 AS log_index
LIMIT $first
UNION
UNWIND [$name] AS name
MATCH (n:Document {document_key: name})
RETURN 'SOURCE' AS kind, n.document_key AS name, n.doc_id AS id, 0 AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Document {doc_id: name})
RETURN 'SOURCE' AS kind, n.document_key AS name, n.doc_id AS id, 0 AS log_index
LIMIT $first
UNION
UNWIND [$name] AS name
MATCH (:Source {source_id: name})<-[:SOURCED_FROM]-(n:Document)
RETURN 'SOURCE' AS kind, n.document_key AS name, n.doc_id AS id, 0 AS log_index
LIMIT $first
UNION
UNWIND [$name] AS name
MATCH (n:Passport {record_hash: name})
RETURN 'PASSPORT' AS kind, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Passport {passport_id: name})
RETURN 'PASSPORT' AS kind, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
LIMIT $first
UNION
UNWIND [$name] AS name
MATCH (n:Pack {record_hash: name})
RETURN 'PACK' AS kind, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Packet {record_hash: name})
RETURN 'PACKET' AS kind, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
UNION
UNWIND [$name] AS name
MATCH (n:Packet {packet_id: name})-[:RECORD_OF]->(d:Document)
WHERE coalesce(d.boundary, 'public') IN $readable AND d.redacted IS NULL
RETURN 'PACKET' AS kind, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
LIMIT $first
UNION
UNWIND [$name] AS name
MATCH (n:Packet {packet_hash: name})-[:RECORD_OF]->(d:Document)
WHERE coalesce(d.boundary, 'public') IN $readable AND d.redacted IS NULL
RETURN 'PACKET' AS kind, n.record_hash AS name, n.record_hash AS id, n.log_index AS log_index
LIMIT $first
