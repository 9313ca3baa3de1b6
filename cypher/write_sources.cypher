// Registers source documents: the bytes by hash, the name that they stand for, and who says so.
// The owner's registration names the document and says how long it is kept; write_registered_classes sets the class.
// The first agent that the operator answers for describes a name, or else the first that proved possession of its bytes,
// or else the first registrant.
UNWIND $rows AS row
MATCH (a:Agent {agent_id: row.agent_id})
MERGE (d:Document {document_key: row.document_hash})
  ON CREATE SET d.held = false
SET d.document_hash = row.document_hash, d.registered = true,
    d.registration_hash = CASE WHEN row.first THEN row.signed_hash ELSE d.registration_hash END,
    d.doc_id = CASE WHEN row.first THEN row.source_id ELSE d.doc_id END,
    d.title = CASE WHEN row.first THEN row.title ELSE d.title END,
    d.media_type = CASE WHEN row.first THEN row.media_type ELSE d.media_type END,
    d.licence = CASE WHEN row.first THEN row.licence ELSE d.licence END,
    d.rights_holder = CASE WHEN row.first THEN row.rights_holder ELSE d.rights_holder END,
    d.retain_until = CASE WHEN row.retain_until IS NULL THEN null ELSE datetime(row.retain_until) END,
    d.byte_length = coalesce(d.byte_length, row.byte_length)
MERGE (s:Source {source_id: row.source_id})
  ON CREATE SET s.title = row.title, s.publisher = row.publisher, s.origin = row.origin
// The condition is repeated: after a WITH, a row would not see the name as the rows of its batch before it left it.
SET s.title = CASE
      WHEN NOT coalesce(s.answered_for, false) AND (row.answered_for OR (row.has_proof AND s.has_proof IS NULL))
      THEN row.title ELSE s.title END,
    s.publisher = CASE
      WHEN NOT coalesce(s.answered_for, false) AND (row.answered_for OR (row.has_proof AND s.has_proof IS NULL))
      THEN row.publisher ELSE s.publisher END,
    s.origin = CASE
      WHEN NOT coalesce(s.answered_for, false) AND (row.answered_for OR (row.has_proof AND s.has_proof IS NULL))
      THEN row.origin ELSE s.origin END,
    s.answered_for = row.answered_for OR coalesce(s.answered_for, false),
    s.has_proof = CASE WHEN row.has_proof THEN true ELSE s.has_proof END
MERGE (d)-[f:SOURCED_FROM]->(s)
SET f.answered_for = row.answered_for OR coalesce(f.answered_for, false)
CREATE (a)-[:REGISTERED {registration_id: row.registration_id, signed_hash: row.signed_hash,
                         timestamp: datetime(row.registered_at), boundary: row.stated_boundary,
                         possession_mac: row.possession_mac, key_id: row.key_id, key_trusted: true,
                         log_index: row.log_index}]->(d)
