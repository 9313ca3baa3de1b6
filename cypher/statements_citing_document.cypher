// The statements that cite a document, all or those that have not passed, with the hash of their bytes, page by page.
UNWIND [$document_hash] AS hash
MATCH (d:Document {document_key: hash})<-[:PART_OF]-(:Chunk)<-[:CITES]-(s:Statement)
WHERE s.log_index > $after AND ($passed OR s.machine_check <> 'PASS')
RETURN DISTINCT s.signed_hash AS signed_hash, s.document_hash AS document_hash, s.log_index AS log_index,
       head([(s)<-[:GENERATED]-(a:Agent) | a.agent_id]) AS agent_id, s.machine_check AS machine_check,
       s.machine_reason AS machine_reason,
       EXISTS { MATCH (s)<-[:VALIDATES]-(v:Verification) WHERE v.machine AND v.verdict = 'VALIDATED' } AS has_passed
ORDER BY log_index
LIMIT $first
