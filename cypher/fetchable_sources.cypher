// Which of these documents a peer's log registered as public, its statements cite without a PASS, and are public here.
// Those whose date of erasure has come are left out.
UNWIND $hashes AS hash
MATCH (d:Document {document_key: hash})
WHERE d.boundary = 'public' AND (d.retain_until IS NULL OR d.retain_until > datetime($now))
  AND EXISTS {
    MATCH (d)<-[:PART_OF]-(:Chunk)<-[:CITES]-(s:Statement)
    WHERE s.origin = $origin AND s.machine_check <> 'PASS'
  }
MATCH (d)<-[r:REGISTERED]-(:Agent)
WHERE r.boundary = 'public'
MATCH (e:LogEntry {signed_hash: r.signed_hash})
WHERE e.origin = $origin AND e.origin_index IS NOT NULL
RETURN DISTINCT d.document_key AS document_hash, d.held AS held
ORDER BY document_hash
