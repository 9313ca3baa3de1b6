// These source documents: held or not, how long, of which class, under which names, by which agents.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})
RETURN d.document_key AS document_hash, d.held AS held, d.byte_length AS byte_length,
       d.media_type AS media_type, d.boundary AS boundary,
       d.registration_hash AS registration_hash, d.retain_until AS retain_until,
       head([(d)<-[r:REGISTERED]-(a:Agent) WHERE r.signed_hash = d.registration_hash | a.agent_id]) AS registered_by,
       [(d)<-[r:REGISTERED]-(a:Agent) |
        {at: r.log_index, agent: a.agent_id, of_record: r.format IS NOT NULL, boundary: r.boundary,
         has_proof: r.possession_mac IS NOT NULL}] AS registrants,
       [(d)-[:SOURCED_FROM]->(s:Source) | s.source_id] AS sources,
       EXISTS { (d)<-[:RECORD_OF]-(n) WHERE n.held } AS has_record
